//! `articula run`.

use super::Failure;
use std::process::ExitCode;

/// (run)
#[derive(Debug, clap::Args)]
pub struct Run {}

impl Run {
    pub(super) fn run(self, _quiet: bool) -> Result<ExitCode, Failure> {
        Ok(ExitCode::SUCCESS)
    }
}

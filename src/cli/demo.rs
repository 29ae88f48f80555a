//! `articula demo`.

use super::Failure;
use std::process::ExitCode;

/// (demo)
#[derive(Debug, clap::Args)]
pub struct Demo {}

impl Demo {
    pub(super) fn run(self, _quiet: bool) -> Result<ExitCode, Failure> {
        Ok(ExitCode::SUCCESS)
    }
}

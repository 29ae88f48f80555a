//! `articula inspect`.

use super::Failure;
use std::process::ExitCode;

/// (inspect)
#[derive(Debug, clap::Args)]
pub struct Inspect {}

impl Inspect {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        Ok(ExitCode::SUCCESS)
    }
}

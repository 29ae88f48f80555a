//! `articula eval`.

use super::Failure;
use std::process::ExitCode;

/// (eval)
#[derive(Debug, clap::Args)]
pub struct Eval {}

impl Eval {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        Ok(ExitCode::SUCCESS)
    }
}

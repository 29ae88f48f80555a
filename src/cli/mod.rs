//! The `articula` command: one file a subcommand, no physics.
//!
//! Exit codes: 0 done, 1 the run failed, 2 bad input or usage. Messages go to stderr, answers to stdout.

mod acknowledge;
mod completions;
mod demo;
mod eval;
mod explain;
mod gradient;
mod init;
mod inspect;
mod output;
mod registry;
mod run;

use crate::error::Error;
use clap::{Parser, Subcommand};
pub use eval::answers;
use std::process::ExitCode;

const START: &str = "Start with `articula demo`. Exit codes: 0 done, 1 the run failed, 2 bad input or usage.";

/// Articulated-body dynamics with rigid stops and dry friction that sticks.
#[derive(Debug, Parser)]
#[command(name = "articula", version, propagate_version = true, after_help = START)]
struct Cli {
    /// No progress and no messages but errors.
    #[arg(long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Demo),
    Init(init::Init),
    Inspect(inspect::Inspect),
    Eval(eval::Eval),
    Run(run::Run),
    Gradient(gradient::Gradient),
    Registry(registry::Registry),
    Explain(explain::Explain),
    Completions(completions::Completions),
}

/// How a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Bad input or usage: exit 2.
    Input(Error),
    /// The run itself failed: exit 1. What happened, when, and what was kept.
    Run(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Input(error)
    }
}

/// Run the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    too_large_files_are_errors();
    let done = match cli.command {
        Command::Demo(command) => command.run(cli.quiet),
        Command::Inspect(command) => command.run(),
        Command::Eval(command) => command.run(),
        Command::Run(command) => command.run(cli.quiet),
        Command::Gradient(command) => command.run(cli.quiet),
        Command::Init(command) => command.run(cli.quiet),
        Command::Registry(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    match done {
        Ok(code) => code,
        Err(Failure::Input(error)) => {
            output::complain(&format!("error: {}", output::coded(&error)));
            ExitCode::from(2)
        }
        Err(Failure::Run(text)) => {
            output::complain(&format!("error: {text}"));
            ExitCode::FAILURE
        }
    }
}

/// A write past the size the system allows (`ulimit -f`) fails then, with a message; unasked, the system ends the process.
fn too_large_files_are_errors() {
    #[cfg(unix)]
    {
        // Where the signal cannot be taken, the process is ended as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

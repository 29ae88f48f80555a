//! `articula completions`.

use super::{Cli, Failure, output};
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;
use std::process::ExitCode;

/// Print the completions of a shell: bash, elvish, fish, powershell, zsh.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Completions {
    /// The shell.
    shell: Shell,
    /// Print JSON: the shell and its script.
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "Examples:
  articula completions bash > articula.bash
  articula completions zsh > _articula
  articula completions fish > articula.fish

bash: put the file into ~/.local/share/bash-completion/completions, as articula;
zsh: into a folder of $fpath; fish: into ~/.config/fish/completions.";

impl Completions {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "articula", &mut script);
        let script = String::from_utf8_lossy(&script);
        if self.json {
            let shell = self.shell.to_string();
            let document = json!({"schema": "articula/completions/1", "shell": shell, "script": script});
            output::print(&output::json(&document))?;
        } else {
            output::print(&script)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! `articula registry`: the records of the laws.

use super::{Failure, output};
use crate::error::{Error, nearest};
use crate::registry::{LAWS, Law, law, page, section};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Every law: symbols, units, equations, assumptions, limitations, switches, version.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Registry {
    /// Only this law, whole.
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print Markdown; of all laws it is docs/laws.md.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

const EXAMPLE: &str = "Examples:
  articula registry
  articula registry coulomb_friction
  articula registry --json
  articula registry --markdown";

impl Registry {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let one = self.name.as_deref().map(find).transpose()?;
        let text = match (one, self.json, self.markdown) {
            (None, true, _) => output::json(&document(LAWS.iter().map(|law| law.to_json()).collect())),
            (Some(law), true, _) => output::json(&document(vec![law.to_json()])),
            (None, _, true) => page(LAWS),
            (Some(law), ..) => section(law),
            (None, ..) => list(),
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn find(name: &str) -> Result<&'static Law, Error> {
    law(name).ok_or_else(|| Error::UnknownName {
        who: "registry".into(),
        what: "law",
        found: name.to_owned(),
        nearest: nearest(name, LAWS.iter().map(|law| law.name)),
    })
}

fn document(laws: Vec<Value>) -> Value {
    json!({"schema": "articula/registry/1", "articula": env!("CARGO_PKG_VERSION"), "laws": laws})
}

fn list() -> String {
    let width = LAWS.iter().map(|law| law.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for law in LAWS {
        text.push_str(&format!(
            "{:width$}  {}  {:14}  {}\n",
            law.name,
            law.version,
            law.derivative(),
            law.title
        ));
    }
    text
}

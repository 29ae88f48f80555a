//! `articula init`: an experiment file for a robot, filled in.

mod draft;
mod place;
mod question;
mod trial;

use super::{Failure, output};
use crate::description::Description;
use crate::error::Error;
use crate::report::Folder;
use draft::{Draft, Rung};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trial::Verdict;

/// Print an experiment file for a robot: its joints, positions within limits, zero drives, what must be decided.
///
/// The file says at its top whether it runs as it is, which was tried, and if not, what to decide first. Nothing that
/// is refused in the robot file is acknowledged for you.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Init {
    /// The robot file (URDF).
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,
    /// How it moves; without it dynamic, or kinematic where the robot has no masses to move (the file says so).
    #[arg(long)]
    rung: Option<Rung>,
    /// Write FILE instead of stdout; the robot's path in it is then beside FILE, else from the current folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write over a FILE that exists.
    #[arg(long)]
    force: bool,
    /// Print JSON: the file's text, whether it runs, what is to be decided.
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "Examples:
  articula init articula-demo/arm.urdf
  articula init articula-demo/arm.urdf --out arm.toml
  articula init articula-demo/arm.urdf --rung kinematic --out studies/follow.toml
Then:
  articula run arm.toml --out results";

impl Init {
    pub(super) fn run(self, quiet: bool) -> Result<ExitCode, Failure> {
        if let Some(out) = self.out.as_deref().filter(|out| out.exists() && !self.force) {
            let found = format!("{}, which exists", out.display());
            return Err(Error::value("--out", found, "a file to be made, or --force to write over it").into());
        }
        if let Some(out) = self.out.as_deref().filter(|out| same_file(out, &self.robot)) {
            let found = format!("{}, the robot file itself", out.display());
            return Err(Error::value("--out", found, "another file").into());
        }
        let description = Description::read(&self.robot)?;
        let folder = self.out.as_deref().map_or(Path::new(""), |out| out.parent().unwrap_or(Path::new("")));
        // The folder has to be there before a path from it to the robot can be found.
        let made = self.out.as_ref().map(|_| Folder::open(if_empty_here(folder), true)).transpose()?;
        let path = place::beside(folder, &self.robot)?;
        let name = self.out.as_ref().map_or("experiment.toml".into(), |out| out.display().to_string());
        let (draft, verdict) = choose(Draft::new(&description, &path, &name), self.rung, folder)?;
        let text = draft.text(&verdict);
        if let (Some(out), Some(folder)) = (&self.out, &made) {
            let file = out.file_name().map(|name| name.to_string_lossy().into_owned());
            let file = file.ok_or_else(|| Error::value("--out", out.display(), "a file"))?;
            folder.write(&file, |to| to.write_all(text.as_bytes()))?;
            if !quiet {
                output::complain(&format!("{}: {}", out.display(), verdict.in_short()));
            }
        }
        if self.json {
            output::print(&output::json(&json!({
                "schema": "articula/init/1",
                "file": self.out.as_ref().map(|out| out.display().to_string()),
                "description": path,
                "rung": draft.rung.name(),
                "runs": verdict.runs(),
                "to_decide": verdict.to_decide,
                "then": verdict.then,
                "steps_tried": verdict.tried.map(|tried| tried.steps),
                "experiment": text,
            })))?;
        } else if self.out.is_none() {
            output::print(&text)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn if_empty_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The draft on its rung, tried: the one asked for, else dynamic where that can run, else kinematic where that can.
fn choose<'d>(draft: Draft<'d>, asked: Option<Rung>, folder: &Path) -> Result<(Draft<'d>, Verdict), Error> {
    let first = Draft { rung: asked.unwrap_or(Rung::Dynamic), ..draft };
    let verdict = trial::verdict(&first, folder)?;
    let Some(why) = verdict.then.clone().filter(|_| asked.is_none()) else { return Ok((first, verdict)) };
    let second = Draft { rung: Rung::Kinematic, why: Some(why), ..first.clone() };
    let other = trial::verdict(&second, folder)?;
    Ok(if other.then.is_none() { (second, other) } else { (first, verdict) })
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

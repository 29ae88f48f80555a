//! `articula demo`.

use super::Failure;
use super::output::{print, shell};
use super::run::{LeaveOut, PAGE, RESULTS, finish, perform, svg};
use crate::error::{Error, Result};
use crate::experiment::Experiment;
use crate::input;
use crate::input::limits::ROBOT_BYTES;
use crate::report::{Folder, PLOTS, plot_names, story, summary, writer_of};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the demonstration runs, and needs to be run again.
const INPUTS: [(&str, &str); 4] = [
    ("arm.urdf", include_str!("../../examples/demo/arm.urdf")),
    ("demo.toml", include_str!("../../examples/demo/demo.toml")),
    ("torques.csv", include_str!("../../examples/demo/torques.csv")),
    ("state.json", include_str!("../../examples/demo/state.json")),
];

/// Run an arm of seven joints against its stops, and say what happened.
///
/// Writes the robot, the experiment and the results into DIR, and prints the commands that run it again. A DIR that
/// holds nothing but an earlier demonstration, its inputs unchanged, is written over.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  articula demo\n  articula demo --out elsewhere")]
pub struct Demo {
    /// The folder for robot, experiment and results.
    #[arg(long, value_name = "DIR", default_value = "articula-demo")]
    out: PathBuf,
    /// Write into DIR whatever it holds; files of the same names are replaced, an earlier page and plots that are left
    /// out are removed.
    #[arg(long)]
    force: bool,
    /// Print the report as one JSON object on stdout.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    leave_out: LeaveOut,
}

impl Demo {
    pub(super) fn run(self, quiet: bool) -> std::result::Result<ExitCode, Failure> {
        let again = self.out.is_dir() && ours(&self.out)?;
        let folder = Folder::open(&self.out, self.force || again)?;
        for (name, text) in INPUTS {
            let written = folder.write(name, |out| out.write_all(text.as_bytes()));
            written.map_err(|error| Failure::Run(format!("the demonstration cannot be written: {error}")))?;
        }
        let experiment = self.out.join("demo.toml");
        let mut built = Experiment::read(&experiment)?.build()?;
        let (ending, report) = perform(&mut built, &folder, &self.leave_out, quiet)?;
        if self.json {
            print(&format!("{report:#}\n"))?;
        } else if !quiet {
            print(
                "An arm of six revolute joints and a slide, every joint with rigid stops and dry friction:\n\n",
            )?;
            print(&story(&built.session))?;
            print(&format!("\n{}\n", summary(&report)))?;
            let plots: Vec<String> = plot_names(&built.session).iter().map(|name| svg(name)).collect();
            let mut left = [&INPUTS.map(|i| i.0)[..], &RESULTS[..]].concat();
            left.extend(plots.iter().filter(|_| !self.leave_out.no_plots).map(String::as_str));
            left.extend([PAGE].iter().filter(|_| !self.leave_out.no_page));
            print(&format!("{}: {}\n", self.out.display(), left.join(", ")))?;
            if !self.leave_out.no_page {
                print(&format!("watch it move, in any browser:\n  {}\n", path(&self.out.join(PAGE))))?;
            }
            print(&commands(&self.out))?;
        }
        finish(&built, &ending, &folder, quiet)
    }
}

/// The commands that run it again and look closer, to be pasted as they are.
fn commands(out: &Path) -> String {
    // As it was called: the command need not be on the path.
    let program = std::env::args().next().unwrap_or_else(|| "articula".into());
    let program = shell(&program);
    let [experiment, robot, state] =
        ["demo.toml", "arm.urdf", "state.json"].map(|name| path(&out.join(name)));
    let beside = shell(&format!("{}-again", out.display().to_string().trim_end_matches(['/', '\\'])));
    format!(
        "run it again, or change {experiment} first:\n  {program} run {experiment} --out {beside}\n\
         the robot file, element by element:\n  {program} inspect {robot}\n\
         one step from one state, joint by joint:\n  \
         {program} eval {robot} --state {state} --quantities bias,step\n"
    )
}

fn path(path: &Path) -> String {
    shell(&path.display().to_string())
}

/// Whether a folder holds nothing but an earlier demonstration whose inputs nobody changed.
fn ours(folder: &Path) -> Result<bool> {
    let failed = |source| Error::Io { path: folder.display().to_string(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        if name.to_str().and_then(writer_of).is_some() {
            continue;
        }
        let known = match INPUTS.iter().find(|(input, _)| name == **input) {
            Some((input, text)) => input::read(&folder.join(input), ROBOT_BYTES, "")? == text.as_bytes(),
            None => {
                let plots = PLOTS.map(svg);
                let results = RESULTS.into_iter().chain(plots.iter().map(String::as_str)).chain([PAGE]);
                results.into_iter().any(|result| name == *result)
            }
        };
        if !known {
            return Ok(false);
        }
    }
    Ok(true)
}

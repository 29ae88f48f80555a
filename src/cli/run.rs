//! `articula run`.

use super::Failure;
use super::output::print;
use crate::error::Error;
use crate::experiment::{Built, Experiment};
use crate::report::{Clocked, Folder, document, page, plot_names, plots, summary, write_csv, write_npz};
use crate::rollout::Ending;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Run an experiment and write what happened.
///
/// Writes trajectory.csv, trajectory.npz, report.json, plots (SVG) and report.html into DIR. Ctrl-C keeps the rows so far.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  articula run articula-demo/demo.toml --out results\n\n`articula demo` writes demo.toml and the other files of these examples."
)]
pub struct Run {
    /// The experiment file, TOML.
    experiment: PathBuf,
    /// The folder for the results; made, or empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write into a folder that is not empty; files of the same names are replaced, an earlier page and plots that are
    /// left out are removed.
    #[arg(long)]
    force: bool,
    /// Print the report as one JSON object on stdout.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    leave_out: LeaveOut,
}

/// Results that are for people to look at.
#[derive(Debug, clap::Args)]
pub(super) struct LeaveOut {
    /// Leave the plots out, of the page too.
    #[arg(long)]
    pub no_plots: bool,
    /// Leave report.html out.
    #[arg(long)]
    pub no_page: bool,
}

impl Run {
    pub(super) fn run(self, quiet: bool) -> Result<ExitCode, Failure> {
        let experiment = Experiment::read(&self.experiment)?;
        let mut built = experiment.build()?;
        spare(experiment.inputs(), &self.out, &built)?;
        let folder = Folder::open(&self.out, self.force)?;
        let (ending, report) = perform(&mut built, &folder, &self.leave_out, quiet)?;
        if self.json {
            print(&format!("{report:#}\n"))?;
        } else if !quiet {
            print(&format!("{}written to {}\n", summary(&report), folder.path().display()))?;
        }
        finish(&built, &ending, &folder, quiet)
    }
}

/// No result of the run would be written over a file that it is read from.
fn spare(inputs: impl Iterator<Item = PathBuf>, out: &Path, built: &Built) -> crate::Result<()> {
    let Ok(out) = out.canonicalize() else { return Ok(()) };
    let plots = plot_names(&built.session);
    let is_result =
        |name: &str| RESULTS.contains(&name) || name == PAGE || plots.iter().any(|plot| svg(plot) == name);
    for input in inputs.filter_map(|input| input.canonicalize().ok()) {
        let name = input.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if input.parent() == Some(&out) && is_result(name) {
            let found = format!("{}, where the run would write over its own input `{name}`", out.display());
            return Err(Error::value("--out", found, "another folder"));
        }
    }
    Ok(())
}

/// What a run leaves in its folder.
pub(super) const RESULTS: [&str; 3] = ["trajectory.csv", "trajectory.npz", "report.json"];

/// And, if it is wanted.
pub(super) const PAGE: &str = "report.html";

/// The file of a plot.
pub(super) fn svg(plot: &str) -> String {
    format!("{plot}.svg")
}

/// Steps a session to its end, or to Ctrl-C, and writes what there is.
pub(super) fn perform(
    built: &mut Built,
    folder: &Folder,
    leave_out: &LeaveOut,
    quiet: bool,
) -> Result<(Ending, Value), Failure> {
    let page_name = (!leave_out.no_page).then_some(PAGE);
    let plot_files: Vec<String> = plot_names(&built.session).iter().map(|name| svg(name)).collect();
    // Names of the page and the plots: those to come, and those that must not stand beside another run's report.
    let (mut kept, mut stale): (Vec<&str>, Vec<&str>) = (RESULTS.to_vec(), Vec::new());
    if leave_out.no_page { &mut stale } else { &mut kept }.push(PAGE);
    if leave_out.no_plots { &mut stale } else { &mut kept }.extend(plot_files.iter().map(String::as_str));
    kept.iter().try_for_each(|name| folder.reserve(name))?;
    folder.tidy();
    let interrupted = interrupt_flag();
    let bar = progress(built.session.steps(), "steps", quiet);
    let start = Instant::now();
    let ending = built.session.run(|done, _| {
        if done % 256 == 0 {
            bar.set_position(done as u64);
        }
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let clocked = Clocked { wall_s: start.elapsed().as_secs_f64() };
    bar.finish_and_clear();
    let report = document(built, &ending, clocked);
    // First of all: a run that ends here leaves too little, and nothing that is not so.
    stale.iter().try_for_each(|name| folder.remove(name)).map_err(not_written)?;
    let [csv, npz, json] = RESULTS;
    folder.write(csv, |out| write_csv(&built.session, out)).map_err(not_written)?;
    folder.write(npz, |out| write_npz(&built.session, out)).map_err(not_written)?;
    folder.write(json, |out| writeln!(out, "{report:#}")).map_err(not_written)?;
    let plots = if leave_out.no_plots { Vec::new() } else { plots(built) };
    for plot in &plots {
        folder.write(&svg(&plot.name), |out| writeln!(out, "{}", plot.svg)).map_err(not_written)?;
    }
    if let Some(name) = page_name {
        folder
            .write(name, |out| out.write_all(page(built, &report, &plots).as_bytes()))
            .map_err(not_written)?;
    }
    Ok((ending, report))
}

/// The input was good; what it makes cannot be kept.
fn not_written(error: Error) -> Failure {
    Failure::Run(format!("the run is done and cannot be written: {error}; no half file is left"))
}

/// The exit code, and the words that go with an early end.
pub(super) fn finish(
    built: &Built,
    ending: &Ending,
    folder: &Folder,
    quiet: bool,
) -> Result<ExitCode, Failure> {
    let session = &built.session;
    let kept = session.time(session.rows().saturating_sub(1));
    match ending {
        Ending::Done => {}
        Ending::Interrupted if quiet => {}
        Ending::Interrupted => eprintln!(
            "interrupted: the {} rows to {kept} s of {} s are written and good",
            session.rows(),
            session.time(session.steps())
        ),
        Ending::NotFinite { segment, joint, time } => {
            return Err(Failure::Run(format!(
                "not finite: joint `{joint}` of `{segment}` in the step that ends at {time} s; the {} rows to {kept} s \
                 are written to {}. A smaller time.step, or less effort or gain on that joint, may help",
                session.rows(),
                folder.path().display()
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Raised by Ctrl-C from now on. A second Ctrl-C ends the process where it is.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    // Where there is no such signal to catch, the run goes on without.
    let _ = ctrlc::try_set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}

/// A bar of so many of something, on a terminal.
pub(super) fn progress(count: usize, of: &str, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{percent}}% of {{len}} {of}, {{eta}} left"));
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

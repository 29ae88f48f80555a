//! The top of the page: how the run went.

use crate::experiment::Built;
use crate::report::summary::{PENDING, clock, energy, gradient, named, solver, validity};
use maud::{Markup, html};
use serde_json::Value;

/// What was run, how it ended, and what to be careful about.
pub(super) fn head(built: &Built, report: &Value) -> Markup {
    let settled = report["status"]["settled"] == true;
    let ending = ending(built, report);
    let flags =
        report["flags"].as_object().into_iter().flatten().filter_map(|(flag, joints)| beyond(flag, joints));
    let warnings: Vec<String> = flags.chain(named(report, "pending", PENDING)).collect();
    let not_used = named(report, "not_used", "sections of the experiment that a run does not use");
    html! {
        header {
            h1 { "Run of " (built.experiment) }
            p.by {
                "articula " (env!("CARGO_PKG_VERSION"))
                @for segment in built.session.segments() {
                    @let model = segment.model();
                    " · " (segment.name()) ": robot " (model.name()) ", " (segment.rung().name()) ", "
                    (count(model.joints().len(), "joint")) ", " (count(model.frames().len(), "frame"))
                }
            }
            ul.verdicts {
                @match &ending {
                    Some(words) => li.bad #ending { b { "Cut short: " } (words) },
                    None => li #ending { b { "Done: " } (clock(report)) },
                }
                @if ending.is_some() { li { b { "Clock: " } (clock(report)) } }
                li.bad[!settled] #solver { b { @if settled { "Settled: " } @else { "Not settled: " } } (solver(report)) }
                li.bad[doubtful(report)] #gradient {
                    b { "Gradient: " } (gradient(report).trim_start_matches("gradient through this run: "))
                }
                @if let Some(words) = energy(report) {
                    li #energy { b { "Energy: " } (words.trim_start_matches("energy ")) }
                }
                @for words in &warnings {
                    li.bad.warning { b { "Warning: " } (words) }
                }
                @for words in not_used.into_iter().chain(validity(report)) {
                    li { b { "Note: " } (words) }
                }
            }
        }
    }
}

/// Whether a gradient through the run is not one of a piece: an output may jump, or a solve did not settle.
fn doubtful(report: &Value) -> bool {
    matches!(report["status"]["observed"].as_str(), Some("jump" | "unsettled"))
}

/// Most joints that a warning names; the table below has all of them.
const NAMED: usize = 4;

/// The joints beyond a limit that is watched, in one line.
fn beyond(flag: &str, joints: &Value) -> Option<String> {
    let joints = joints.as_array().filter(|joints| !joints.is_empty())?;
    let (segment, kind) = flag.rsplit_once('.').unwrap_or(("", flag));
    let some = joints.iter().take(NAMED).map(|watch| {
        let time = watch["first_time"].as_f64().unwrap_or(f64::NAN);
        format!("{} first at {time:.3} s", watch["joint"].as_str().unwrap_or_default())
    });
    let some: Vec<String> = some.collect();
    let more = joints.len().saturating_sub(NAMED);
    Some(format!(
        "{} of {segment} {} (watched, not applied): {}{}",
        count(joints.len(), "joint"),
        kind.replace('_', " "),
        some.join(", "),
        if more > 0 { format!(", and {more} more in the table below") } else { String::new() }
    ))
}

fn ending(built: &Built, report: &Value) -> Option<String> {
    let session = &built.session;
    let kept = session.rows().saturating_sub(1);
    let kept = format!(
        "{} rows to {} s of {} s are kept",
        session.rows(),
        session.time(kept),
        session.time(session.steps())
    );
    match report["ending"]["kind"].as_str() {
        Some("not_finite") => Some(format!(
            "not finite at joint {} of {} in the step that ends at {} s; {kept}",
            report["ending"]["joint"].as_str().unwrap_or_default(),
            report["ending"]["segment"].as_str().unwrap_or_default(),
            report["ending"]["time"],
        )),
        Some("interrupted") => Some(format!("interrupted; {kept}")),
        _ => None,
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

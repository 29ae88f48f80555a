//! Plots of a run, as SVG: a panel a joint, above a common axis of time.
//!
//! | plot | shows |
//! |---|---|
//! | `positions` | positions, the limits, when a joint rests on a stop; commands of a kinematic segment |
//! | `velocities` | velocities, speed limits, when a joint sticks |
//! | `efforts` | efforts and their limits; impulses of friction and stops, each over the step: mean forces of that step |
//! | `indicators` | how far each switch is from passing, and when one passes |
//!
//! An axis is linear, or where it says so linear about zero and logarithmic beyond. Long runs are thinned to what the
//! pixels can show: of every column of pixels the least and the largest value stay.

mod axis;
mod content;
mod figure;
mod panel;
mod style;
mod text;
mod thin;

use crate::experiment::Built;
use crate::rollout::{Rung, Segment, Session};
use content::{efforts, indicators, positions, velocities};
use std::collections::HashSet;
use std::path::Path;

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// Its file's name without the ending, safe on any file system: `positions`, or `arm.positions` where a run has
    /// several segments.
    pub name: String,
    /// What it shows, with experiment and segment.
    pub title: String,
    /// An `<svg>` element without a prolog, to stand alone or inside a page. Nothing in it has an identifier.
    pub svg: String,
}

/// What plots there are of a segment, in their order; a kinematic one has no efforts.
pub const PLOTS: [&str; 4] = ["positions", "velocities", "efforts", "indicators"];

/// The plots of every segment's filled rows: of a dynamic one four, of a kinematic one three.
pub fn plots(built: &Built) -> Vec<Plot> {
    let session = &built.session;
    let stem = Path::new(&built.experiment).file_stem().unwrap_or_default().to_string_lossy();
    let draw = |Named { name, segment, what }: Named| {
        let title = format!("{stem}, segment {}: {}", segment.name(), PLOTS[what]);
        let svg =
            [positions, velocities, efforts, indicators][what](&View { session, segment, title: &title });
        Plot { name, title, svg }
    };
    named(session).into_iter().map(draw).collect()
}

/// The names that [`plots`] will have, known before the session has run.
pub fn plot_names(session: &Session) -> Vec<String> {
    named(session).into_iter().map(|plot| plot.name).collect()
}

/// A plot that is to be drawn.
struct Named<'a> {
    name: String,
    segment: &'a Segment,
    /// Which of [`PLOTS`].
    what: usize,
}

fn named(session: &Session) -> Vec<Named<'_>> {
    let mut taken = HashSet::new();
    let mut all = Vec::new();
    for segment in session.segments() {
        let prefix = match session.segments() {
            [_] => String::new(),
            _ => format!("{}.", safe(segment.name(), &mut taken)),
        };
        for (what, plot) in PLOTS.into_iter().enumerate() {
            if plot != "efforts" || matches!(segment.rung(), Rung::Dynamic(_)) {
                all.push(Named { name: format!("{prefix}{plot}"), segment, what });
            }
        }
    }
    all
}

/// What a plot is made from.
struct View<'a> {
    session: &'a Session,
    segment: &'a Segment,
    title: &'a str,
}

/// A segment's name as a part of a file's: letters, digits, `-` and `_`, not too long, and no other segment's, even where
/// capitals do not count.
fn safe(name: &str, taken: &mut HashSet<String>) -> String {
    const LONGEST: usize = 40;
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let stem: String = name.chars().take(LONGEST).map(plain).collect();
    let mut found = if stem.is_empty() { "_".to_owned() } else { stem.clone() };
    let mut count = 1;
    while !taken.insert(found.to_lowercase()) {
        count += 1;
        found = format!("{stem}_{count}");
    }
    found
}

//! What each plot shows of a segment.

use super::View;
use super::axis::{Scale, extent, round_up};
use super::figure::Figure;
use super::panel::{Line, Panel, Points};
use super::style::{self, Legend, Style};
use super::text::four_digits;
use crate::model::Joint;
use crate::rollout::{Rung, Trajectory};
use crate::step::{Indicators, Piece};
use crate::switch::Near;

/// A linear axis that would leave less than one part in so many to what matters is made logarithmic further out.
const CROWDED: f64 = 5.0;

/// Room to the right of a panel for the labels of limits.
const LABELS: f64 = 88.0;

type Indicator = fn(&Indicators<f64>) -> Option<f64>;

/// Positions with limits and, by rung, commands or stretches at a stop.
pub(super) fn positions(view: &View) -> String {
    let kinematic = view.kinematic();
    let mut legend: Legend = vec![(style::VALUE, "position".into())];
    if kinematic {
        legend.push((style::COMMAND, "command".into()));
    }
    if view.any(|j| j.lower.is_some() || j.upper.is_some()) {
        legend.push((style::LIMIT, "limit of the joint".into()));
        if !kinematic {
            legend.push((style::AT_STOP, "rests on a stop".into()));
        }
    }
    view.figure(legend, view.columns(), LABELS).draw(
        view.joints(),
        view.each().map(|(j, joint)| {
            let mut lines = vec![view.line("position", style::VALUE, j, 0, |rows| &rows.q)];
            let mut stretches = Vec::new();
            if kinematic {
                lines.push(view.line("command", style::COMMAND, j, view.segment.every(), |rows| &rows.input));
            } else {
                stretches.push(("at lower", style::AT_STOP, view.spans(j, Piece::Lower)));
                stretches.push(("at upper", style::AT_STOP, view.spans(j, Piece::Upper)));
            }
            let limits = [("upper", joint.upper), ("lower", joint.lower)];
            let limits = limits.into_iter().filter_map(|(name, x)| Some((name, x?))).collect();
            Panel {
                joint: &joint.name,
                unit: joint.kind.position_unit(),
                lines,
                stretches,
                limits,
                ..Panel::default()
            }
        }),
    )
}

/// Velocities with speed limits and stretches of sticking.
pub(super) fn velocities(view: &View) -> String {
    let mut legend: Legend = vec![(style::VALUE, "velocity".into())];
    if view.any(|j| j.speed_limit.is_some()) {
        legend.push((style::LIMIT, "speed limit (watched, not applied)".into()));
    }
    if !view.kinematic() && view.any(|j| j.friction.is_some()) {
        legend.push((style::STICKS, "sticks".into()));
    }
    view.figure(legend, view.columns(), LABELS).draw(
        view.joints(),
        view.each().map(|(j, joint)| {
            let stretches = match view.kinematic() {
                true => Vec::new(),
                false => vec![("sticks", style::STICKS, view.spans(j, Piece::Stick))],
            };
            Panel {
                joint: &joint.name,
                unit: joint.kind.velocity_unit(),
                lines: vec![view.line("velocity", style::VALUE, j, 0, |rows| &rows.v)],
                stretches,
                limits: both_signs(joint.speed_limit),
                zero: true,
                ..Panel::default()
            }
        }),
    )
}

/// Efforts with their limits, and impulses over the step.
pub(super) fn efforts(view: &View) -> String {
    let mut legend: Legend = vec![
        (style::VALUE, "effort of the drive".into()),
        (style::FRICTION, "friction impulse / dt".into()),
        (style::STOP, "stop impulse / dt".into()),
    ];
    if view.any(|j| j.effort_limit.is_some()) {
        legend.push((style::EFFORT_LIMIT, "effort limit (watched, not applied)".into()));
    }
    let dt = view.segment.rung().dt();
    view.figure(legend, view.columns(), LABELS).draw(
        view.joints(),
        view.each().map(|(j, joint)| {
            let first = view.segment.every();
            let mean = |mut line: Line| {
                line.values.iter_mut().for_each(|x| *x /= dt);
                line
            };
            let effort = view.line("effort", style::VALUE, j, first, |rows| &rows.input);
            let friction =
                mean(view.line("friction", style::FRICTION, j, first, |rows| &rows.friction_impulse));
            let stop = mean(view.line("stop", style::STOP, j, first, |rows| &rows.stop_impulse));
            // An impact takes a step's whole momentum: its mean force may be a thousand times the drive's.
            let usual = size(&[&effort, &friction]);
            Panel {
                joint: &joint.name,
                unit: joint.kind.effort_unit(),
                scale: scale(usual, size(&[&stop])),
                lines: vec![stop, friction, effort],
                limits: both_signs(joint.effort_limit),
                limit_style: style::EFFORT_LIMIT,
                zero: true,
                empty: "no step was made",
                ..Panel::default()
            }
        }),
    )
}

/// Indicators of stops and of friction side by side, with marks where one changes its sign.
pub(super) fn indicators(view: &View) -> String {
    let stops = view.any(|j| j.lower.is_some() || j.upper.is_some());
    let friction = !view.kinematic() && view.any(|j| j.friction.is_some());
    let stop = if view.kinematic() { "limit" } else { "stop" };
    let aspects: Vec<&'static str> =
        [(stops, stop), (friction, "friction")].into_iter().filter(|a| a.0).map(|a| a.1).collect();
    let names = |end: &str| aspects.iter().map(|a| format!("{a}.{end}")).collect::<Vec<_>>().join(", ");
    let mut legend = Legend::new();
    let near = view.near();
    if !aspects.is_empty() {
        legend = vec![
            (style::LOW, names("low")),
            (style::HIGH, names("high")),
            (style::PASSED_LOW, "low changes its sign: a switch is passed".into()),
            (style::PASSED_HIGH, "high changes its sign".into()),
        ];
        if near.iter().any(|near| near.within()) {
            legend.push((style::NEAR, "came within its margin, at its nearest".into()));
        }
        if !near.is_empty() {
            legend.push((style::NEAREST, "nearest of all, in margins".into()));
        }
    }
    let columns = if aspects.len() == 2 { 2 } else { view.columns() };
    let figure = view.figure(legend, columns, 14.0);
    if aspects.is_empty() && view.joints() > 0 {
        let words = "no joint has a limit or friction, so no switch has an indicator";
        return figure.draw(1, std::iter::once(Panel { empty: words, ..Panel::default() }));
    }
    let near = &near;
    let panels = view.each().flat_map(|(j, joint)| {
        aspects.iter().map(move |aspect| match *aspect {
            "friction" => of_friction(view, j, joint, near),
            aspect => of_stops(view, j, joint, aspect, near),
        })
    });
    figure.draw(view.joints() * aspects.len(), panels)
}

fn of_stops<'a>(
    view: &View,
    j: usize,
    joint: &'a Joint<f64>,
    aspect: &'static str,
    near: &[Near],
) -> Panel<'a> {
    let names = if aspect == "limit" { ["limit.low", "limit.high"] } else { ["stop.low", "stop.high"] };
    let (lines, marks) = pair(view, j, names, [|i| i.stop_low, |i| i.stop_high]);
    let has = joint.lower.is_some() || joint.upper.is_some();
    Panel {
        joint: &joint.name,
        aspect,
        unit: joint.kind.position_unit(),
        lines,
        marks,
        points: points(near, &joint.name, names),
        note: margin(near, &joint.name, names),
        zero: true,
        empty: if has { "no step was made" } else { "no limit" },
        ..Panel::default()
    }
}

fn of_friction<'a>(view: &View, j: usize, joint: &'a Joint<f64>, near: &[Near]) -> Panel<'a> {
    let names = ["friction.low", "friction.high"];
    let (lines, marks) = pair(view, j, names, [|i| i.friction_low, |i| i.friction_high]);
    // Within twice its friction a joint sticks; the effort that would stop a fast one is far beyond.
    let usual = 2.0 * joint.friction.unwrap_or(0.0);
    Panel {
        joint: &joint.name,
        aspect: "friction",
        unit: joint.kind.effort_unit(),
        scale: scale(usual, size(&lines.iter().collect::<Vec<_>>())),
        lines,
        marks,
        points: points(near, &joint.name, names),
        note: margin(near, &joint.name, names),
        zero: true,
        empty: if joint.friction.is_some() { "no step was made" } else { "no friction" },
        ..Panel::default()
    }
}

type Marks = Vec<(&'static str, Style, Vec<f64>)>;

/// The lines of the low and the high indicator, and the moments at which each changes its sign.
fn pair(view: &View, j: usize, names: [&'static str; 2], of: [Indicator; 2]) -> (Vec<Line>, Marks) {
    let looks = [(style::LOW, style::PASSED_LOW), (style::HIGH, style::PASSED_HIGH)];
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    for ((name, of), (line, mark)) in names.into_iter().zip(of).zip(looks) {
        let rows = view.segment.trajectory();
        let values = view
            .rows(view.segment.every(), |k| of(&rows.indicators[k * rows.joints + j]).unwrap_or(f64::NAN));
        marks.push((name, mark, passings(&values, view.session.step())));
        lines.push(Line { name, style: line, values });
    }
    (lines, marks)
}

/// Moments at which values change their sign: where the line through them leaves zero for the other side.
fn passings(values: &[f64], step: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let mut side = 0.0;
    for k in (0..values.len()).filter(|k| values[*k].is_finite() && values[*k] != 0.0) {
        let x = values[k];
        if side * x.signum() < 0.0 {
            let before = values[k - 1];
            found.push(((k - 1) as f64 + before / (before - x)) * step);
        }
        side = x.signum();
    }
    found
}

/// Whether it is of one of a joint's two switches.
fn is_of(near: &Near, joint: &str, names: [&str; 2]) -> bool {
    near.joint == joint && names.iter().any(|name| near.switch.strip_prefix("arm.") == Some(*name))
}

/// Where a joint's switches came within their margins, and where the nearest of all was.
fn points(near: &[Near], joint: &str, names: [&str; 2]) -> Vec<Points> {
    let here = |near: &&Near| is_of(near, joint, names);
    let at = |near: &Near| (near.time, near.value);
    vec![
        ("within its margin", style::NEAR, near.iter().filter(|n| n.within()).filter(here).map(at).collect()),
        ("nearest", style::NEAREST, near.first().into_iter().filter(here).map(at).collect()),
    ]
}

/// The margin of a joint's switches, in words.
fn margin(near: &[Near], joint: &str, names: [&str; 2]) -> String {
    let found = near.iter().find(|near| is_of(near, joint, names));
    found.map_or(String::new(), |near| format!(", margin {}", four_digits(near.margin)))
}

/// A limit of magnitude.
fn both_signs(limit: Option<f64>) -> Vec<(&'static str, f64)> {
    limit.into_iter().flat_map(|x| [("limit", x), ("limit", -x)]).collect()
}

/// The largest magnitude in some lines.
fn size(lines: &[&Line]) -> f64 {
    let all = extent(lines.iter().flat_map(|line| line.values.iter().copied()));
    all.map_or(0.0, |(low, high)| high.max(-low))
}

/// Linear where the largest leaves room for the usual, else linear only about the usual.
fn scale(usual: f64, largest: f64) -> Scale {
    Scale { within: (usual > 1e-280 && largest > CROWDED * usual).then(|| round_up(usual)) }
}

impl View<'_> {
    fn kinematic(&self) -> bool {
        matches!(self.segment.rung(), Rung::Kinematic(_))
    }

    fn joints(&self) -> usize {
        self.segment.model().joints().len()
    }

    fn each(&self) -> impl Iterator<Item = (usize, &Joint<f64>)> {
        self.segment.model().joints().iter().enumerate()
    }

    fn any(&self, has: impl Fn(&Joint<f64>) -> bool) -> bool {
        self.segment.model().joints().iter().any(has)
    }

    /// Panels side by side at which a panel of many is still wide enough to read.
    fn columns(&self) -> usize {
        match self.joints() {
            0..=3 => 1,
            4..=12 => 2,
            _ => 3,
        }
    }

    /// One number of every filled row; rows before `first` have none.
    fn rows(&self, first: usize, of: impl Fn(usize) -> f64) -> Vec<f64> {
        (0..self.session.rows()).map(|k| if k < first { f64::NAN } else { of(k) }).collect()
    }

    fn line(
        &self,
        name: &'static str,
        style: Style,
        joint: usize,
        first: usize,
        of: impl Fn(&Trajectory) -> &Vec<f64>,
    ) -> Line {
        let rows = self.segment.trajectory();
        let list = of(rows);
        Line { name, style, values: self.rows(first, |k| list[k * rows.joints + joint]) }
    }

    /// Stretches of time on a piece: the segment's own steps that ended on it, from start to end, s.
    fn spans(&self, joint: usize, piece: Piece) -> Vec<(f64, f64)> {
        let (rows, every) = (self.segment.trajectory(), self.segment.every());
        let mut found: Vec<(usize, usize)> = Vec::new();
        for k in (every..self.session.rows()).step_by(every) {
            if rows.pieces[k * rows.joints + joint] != piece {
                continue;
            }
            match found.last_mut() {
                Some((_, end)) if *end == k - every => *end = k,
                _ => found.push((k - every, k)),
            }
        }
        found.into_iter().map(|(start, end)| (self.session.time(start), self.session.time(end))).collect()
    }

    /// What each switch of the segment came to at its nearest, the nearest in margins first.
    fn near(&self) -> Vec<Near> {
        let observer = self.segment.observer();
        let joints = self.each().map(|(_, joint)| joint);
        let names =
            ["stop", "limit", "friction"].map(|law| ["low", "high"].map(|end| format!("arm.{law}.{end}")));
        let names = names.as_flattened();
        let watches = joints.flat_map(|j| names.iter().filter_map(|name| observer.find(name, &j.name)));
        let mut near: Vec<Near> = watches.filter_map(|watch| observer.nearest(watch)).collect();
        near.sort_by(|a, b| a.margins().total_cmp(&b.margins()));
        near
    }

    fn figure(&self, legend: Legend, columns: usize, right: f64) -> Figure {
        let (session, own) = (self.session, self.segment.rung().dt());
        let made = session.rows().saturating_sub(1);
        let mut subtitle = format!("step {own} s, {} s simulated", rounded(session.time(made)));
        if made < session.steps() {
            subtitle
                .push_str(&format!(" of {} s: the run ended early", rounded(session.time(session.steps()))));
        }
        if self.joints() == 0 {
            subtitle.push_str("; no joints");
        }
        Figure {
            title: self.title.to_owned(),
            subtitle,
            legend,
            columns,
            right,
            end: session.time(made),
            step: session.step(),
        }
    }
}

/// A time without the last digits of a product.
fn rounded(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}

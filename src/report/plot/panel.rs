//! A panel: one joint's lines over time.

use super::axis::{Axis, Scale, drawable, extent};
use super::style::{LIMIT, Style};
use super::text::{fitting, four_digits, printable, px, text};
use super::thin;
use svg::node::element::{Group, Path, Rectangle, TSpan, Title};

/// Height of the line above a panel that names it.
pub(super) const HEAD: f64 = 22.0;
/// Room for the labels of its ticks.
pub(super) const LEFT: f64 = 62.0;

/// A line's values, row by row; not a number where it has none.
pub(super) struct Line {
    pub name: &'static str,
    pub style: Style,
    pub values: Vec<f64>,
}

/// What a joint does, how it is shown, and from when to when, s.
pub(super) type Stretches = (&'static str, Style, Vec<(f64, f64)>);

/// What points are, how they are shown, and where: moments, s, and values.
pub(super) type Points = (&'static str, Style, Vec<(f64, f64)>);

/// What is to be shown of one joint.
pub(super) struct Panel<'a> {
    /// The joint; empty where there is none.
    pub joint: &'a str,
    /// What is shown of it where that is not plain from the plot.
    pub aspect: &'static str,
    pub unit: &'static str,
    pub lines: Vec<Line>,
    /// Stretches of time, s, and what the joint does in them.
    pub stretches: Vec<Stretches>,
    /// Level lines, with their names.
    pub limits: Vec<(&'static str, f64)>,
    pub limit_style: Style,
    /// Moments at zero, s.
    pub marks: Vec<(&'static str, Style, Vec<f64>)>,
    /// Points to look at.
    pub points: Vec<Points>,
    pub zero: bool,
    pub scale: Scale,
    /// Beside its name, after the unit.
    pub note: String,
    /// What it says where it has nothing to draw.
    pub empty: &'static str,
}

impl Default for Panel<'_> {
    fn default() -> Self {
        Panel {
            joint: "",
            aspect: "",
            unit: "",
            lines: Vec::new(),
            stretches: Vec::new(),
            limits: Vec::new(),
            limit_style: LIMIT,
            marks: Vec::new(),
            points: Vec::new(),
            zero: false,
            scale: Scale { within: None },
            note: String::new(),
            empty: "nothing to show",
        }
    }
}

/// The size of a panel's field, and its axis of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub width: f64,
    pub height: f64,
    /// Room to its right.
    pub right: f64,
    pub time: Axis,
    /// Seconds from row to row.
    pub step: f64,
    /// Whether the labels of time stand under it.
    pub labelled: bool,
}

impl Panel<'_> {
    /// The panel, its field's upper left corner at the origin.
    pub fn draw(&self, field: &Field) -> Group {
        let name = printable(self.joint);
        let mut group = Group::new().set("data-joint", name.as_str());
        if !name.is_empty() {
            group = group.add(Title::new(name.as_str()));
        }
        if !self.aspect.is_empty() {
            group = group.set("data-aspect", self.aspect);
        }
        let frame = Rectangle::new().set("width", px(field.width)).set("height", px(field.height));
        let frame = frame.set("fill", "none").set("stroke", "#999999");
        let data = self.lines.iter().flat_map(|line| line.values.iter().copied());
        let Some(data) = extent(data) else {
            let middle = text(field.width / 2.0, field.height / 2.0 + 4.0, "middle", 12.0, self.empty);
            return self
                .head(group, field, &name, "")
                .add(frame)
                .add(middle.set("fill", "#555555").set("font-style", "italic"));
        };
        let data = if self.zero { (data.0.min(0.0), data.1.max(0.0)) } else { data };
        let axis = Axis::around(data, self.limits.iter().map(|l| l.1), self.scale, field.height);
        let (ticks, from) = axis.ticks(24.0);
        let note = match (self.scale.within, from) {
            (Some(within), _) => format!(", log beyond \u{b1}{}", four_digits(within)),
            (None, Some(from)) => format!(", counted from {from}"),
            (None, None) => String::new(),
        };
        group = self.head(group, field, &name, &format!("{}{note}", self.note));
        for (kind, style, spans) in self.stretches.iter().filter(|s| !s.2.is_empty()) {
            let on_axis = spans.iter().map(|(start, end)| (field.time.at(*start), field.time.at(*end)));
            group = group.add(style.path(thin::stretches(on_axis, field.height)).set("data-series", *kind));
        }
        group = grid(group, &axis, field, &ticks);
        group = self.draw_limits(group, &axis, field);
        for line in &self.lines {
            let at = |k: usize, x: f64| {
                let y = if drawable(x) { axis.at(x) } else { f64::NAN };
                (field.time.at(k as f64 * field.step), y)
            };
            let data = thin::line(line.values.iter().enumerate().map(|(k, x)| at(k, *x)));
            if !data.is_empty() {
                let path = line.style.path(data).set("data-series", line.name);
                group = group.add(path.set("stroke-linejoin", "round").set("stroke-linecap", "round"));
            }
        }
        group = self.draw_marks(group, &axis, field);
        for (name, style, points) in self.points.iter().filter(|points| !points.2.is_empty()) {
            let data = points.iter().map(|(t, x)| style.mark(field.time.at(*t), axis.at(*x))).collect();
            group = group.add(style.path(data).set("data-series", *name));
        }
        group.add(frame)
    }

    /// Names the panel, with its unit.
    fn head(&self, group: Group, field: &Field, name: &str, note: &str) -> Group {
        let unit = if self.unit.is_empty() { String::new() } else { format!("[{}]", self.unit) };
        let rest = format!("{} {unit}{note}", self.aspect);
        let room = field.width + field.right - 6.4 * rest.chars().count() as f64 - 8.0;
        let bold = TSpan::new(fitting(name, room, 7.6)).set("font-weight", "bold");
        group.add(text(0.0, -7.0, "start", 12.5, "").add(bold).add(TSpan::new(rest.trim()).set("dx", 6)))
    }

    /// The limits: a line where it is in view, else an arrow to where it is; labels to the right, apart from each other.
    fn draw_limits(&self, mut group: Group, axis: &Axis, field: &Field) -> Group {
        const APART: f64 = 12.0;
        let mut labels: Vec<(f64, String)> = Vec::new();
        for (name, value) in self.limits.iter().filter(|l| drawable(l.1)) {
            let y = axis.at(*value);
            let label = format!("{name} {}", four_digits(*value));
            if axis.holds(*value) {
                let path = self.limit_style.path(format!("M0 {}H{}", px(y), px(field.width)));
                group = group.add(path.set("data-series", *name));
                labels.push((y, label));
            } else if y < 0.0 {
                labels.push((0.0, format!("\u{2191} {label}")));
            } else {
                labels.push((field.height, format!("\u{2193} {label}")));
            }
        }
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        for k in 1..labels.len() {
            labels[k].0 = labels[k].0.max(labels[k - 1].0 + APART);
        }
        let mut most = field.height;
        for (y, label) in labels.iter().rev() {
            let y = y.min(most);
            most = y - APART;
            group = group.add(text(field.width + 4.0, y + 3.5, "start", 10.5, label));
        }
        group
    }

    /// Marks on the line of zero. Of those nearer than a mark is wide, the first.
    fn draw_marks(&self, mut group: Group, axis: &Axis, field: &Field) -> Group {
        for (name, style, moments) in &self.marks {
            let (mut data, mut before) = (String::new(), f64::NEG_INFINITY);
            for x in moments.iter().map(|t| field.time.at(*t)) {
                if x - before >= 4.0 {
                    data.push_str(&style.mark(x, axis.at(0.0)));
                    before = x;
                }
            }
            if !data.is_empty() {
                group = group.add(style.path(data).set("data-series", *name));
            }
        }
        group
    }
}

/// Lines at the ticks, the labels, and the line of zero.
fn grid(mut group: Group, axis: &Axis, field: &Field, ticks: &[(f64, String)]) -> Group {
    let (times, _) = field.time.ticks(64.0);
    let mut lines = String::new();
    for (y, label) in ticks {
        lines.push_str(&format!("M0 {}H{}", px(*y), px(field.width)));
        group = group.add(text(-6.0, *y, "end", 10.5, label).set("dy", 3.5).set("data-axis", "value"));
    }
    for (x, label) in &times {
        lines.push_str(&format!("M{} 0V{}", px(*x), px(field.height)));
        if field.labelled {
            let label = text(*x, field.height + 15.0, "middle", 10.5, label);
            group = group.add(label.set("data-axis", "time"));
        }
    }
    if field.labelled {
        group = group.add(text(field.width / 2.0, field.height + 31.0, "middle", 11.5, "time [s]"));
    }
    let thin = |data: String, colour: &str| {
        Path::new().set("d", data).set("stroke", colour).set("stroke-opacity", 0.18).set("fill", "none")
    };
    group = group.add(thin(lines, "#000000"));
    if axis.holds(0.0) {
        let zero = format!("M0 {}H{}", px(axis.at(0.0)), px(field.width));
        group = group.add(thin(zero, "#000000").set("stroke-opacity", 0.6).set("data-series", "zero"));
    }
    group
}

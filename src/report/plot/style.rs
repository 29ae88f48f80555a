//! How the things in a plot look: colours that colour-blind people tell apart (Okabe and Ito 2008), and dashes that tell
//! them apart in grey.

use super::text::{px, text};
use svg::node::element::{Group, Path};

const BLUE: &str = "#0072B2";
const VERMILLION: &str = "#D55E00";
const GREEN: &str = "#009E73";
const ORANGE: &str = "#E69F00";
const SKY: &str = "#56B4E9";
const PURPLE: &str = "#AA4499";

/// How something looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub shape: Shape,
    pub colour: &'static str,
}

/// What it is drawn as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// A line: its width and its dashes, in pixels.
    Line(f64, &'static str),
    /// A stretch of time.
    Stretch(f64),
    /// A mark at a moment, pointing down or up.
    Down,
    Up,
    /// A ring about a point, of a radius in pixels.
    Ring(f64),
}

const fn line(colour: &'static str, width: f64, dashes: &'static str) -> Style {
    Style { shape: Shape::Line(width, dashes), colour }
}

pub(super) const VALUE: Style = line(BLUE, 1.8, "");
pub(super) const COMMAND: Style = line("#000000", 1.2, "2 3");
pub(super) const LIMIT: Style = line(VERMILLION, 1.2, "8 4");
pub(super) const FRICTION: Style = line(GREEN, 1.4, "5 2");
pub(super) const STOP: Style = line(VERMILLION, 1.0, "");
pub(super) const EFFORT_LIMIT: Style = line(PURPLE, 1.2, "10 3 2 3");
pub(super) const LOW: Style = line(BLUE, 1.5, "");
pub(super) const HIGH: Style = line(VERMILLION, 1.5, "5 2");
pub(super) const AT_STOP: Style = Style { shape: Shape::Stretch(0.35), colour: ORANGE };
pub(super) const STICKS: Style = Style { shape: Shape::Stretch(0.35), colour: SKY };
pub(super) const PASSED_LOW: Style = Style { shape: Shape::Down, colour: BLUE };
pub(super) const NEAR: Style = Style { shape: Shape::Ring(5.0), colour: PURPLE };
pub(super) const NEAREST: Style = Style { shape: Shape::Ring(8.0), colour: "#000000" };
pub(super) const PASSED_HIGH: Style = Style { shape: Shape::Up, colour: VERMILLION };

impl Style {
    /// A path in this style.
    pub fn path(self, data: String) -> Path {
        let path = Path::new().set("d", data);
        match self.shape {
            Shape::Line(width, dashes) => {
                let path = path.set("stroke", self.colour).set("stroke-width", px(width)).set("fill", "none");
                if dashes.is_empty() { path } else { path.set("stroke-dasharray", dashes) }
            }
            Shape::Stretch(opacity) => path.set("fill", self.colour).set("fill-opacity", opacity),
            Shape::Ring(_) => path.set("fill", "none").set("stroke", self.colour).set("stroke-width", "1.6"),
            Shape::Down | Shape::Up => path.set("fill", self.colour).set("stroke", "#ffffff"),
        }
    }

    /// A mark of this style with its tip at a point, or about it, as path data.
    pub fn mark(self, x: f64, y: f64) -> String {
        if let Shape::Ring(r) = self.shape {
            let (left, r, d) = (px(x - r), px(r), px(2.0 * r));
            return format!("M{left} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", px(y));
        }
        let back = if self.shape == Shape::Down { "l-4.5 -9h9z" } else { "l-4.5 9h9z" };
        format!("M{} {}{back}", px(x), px(y))
    }

    /// What stands for it in the legend, 26 pixels wide.
    fn sample(self, x: f64, y: f64) -> Path {
        let (left, middle) = (px(x), px(y));
        self.path(match self.shape {
            Shape::Line(..) => format!("M{left} {middle}h26"),
            Shape::Stretch(_) => format!("M{left} {}h26v12h-26z", px(y - 6.0)),
            Shape::Down => self.mark(x + 13.0, y + 4.5),
            Shape::Up => self.mark(x + 13.0, y - 4.5),
            Shape::Ring(_) => self.mark(x + 13.0, y),
        })
    }
}

/// What the styles of a plot mean.
pub(super) type Legend = Vec<(Style, String)>;

/// The legend, entries side by side and in further rows where they do not fit; and its height.
pub(super) fn legend(entries: &Legend, width: f64) -> (Group, f64) {
    const ROW: f64 = 20.0;
    let (mut x, mut y) = (0.0, ROW / 2.0);
    let mut group = Group::new();
    for (style, words) in entries {
        let wide = 26.0 + 8.0 + 6.6 * words.chars().count() as f64 + 24.0;
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + ROW);
        }
        group = group.add(style.sample(x, y)).add(text(x + 34.0, y + 4.0, "start", 12.0, words));
        x += wide;
    }
    (group, if entries.is_empty() { 0.0 } else { y + ROW / 2.0 })
}

//! A figure: a title, a legend, and panels in columns above a common axis of time.

use super::axis::Axis;
use super::panel::{Field, HEAD, LEFT, Panel};
use super::style::{Legend, legend};
use super::text::{fitting, printable, px, text};
use svg::Document;
use svg::node::element::{Group, Rectangle, Title};

/// Of the whole, in pixels.
const WIDTH: f64 = 1200.0;
const EDGE: f64 = 16.0;
/// Below a panel, and below the last one of a column.
const GAP: f64 = 14.0;
const FOOT: f64 = 44.0;

/// What a figure shows besides its panels.
pub(super) struct Figure {
    pub title: String,
    pub subtitle: String,
    pub legend: Legend,
    /// Side by side.
    pub columns: usize,
    /// Room to the right of each panel.
    pub right: f64,
    /// The last row's time, and from row to row, s.
    pub end: f64,
    pub step: f64,
}

impl Figure {
    /// The figure with `count` panels, as SVG that stands alone or inside a page: no prolog, no identifiers, no styles
    /// that reach beyond it.
    pub fn draw<'a>(&self, count: usize, panels: impl Iterator<Item = Panel<'a>>) -> String {
        let columns = self.columns.clamp(1, count.max(1));
        let lines = count.div_ceil(columns);
        let cell = (WIDTH - 2.0 * EDGE) / columns as f64;
        let time = if self.end > 0.0 { self.end } else { self.step };
        let width = cell - LEFT - self.right;
        let height = match lines {
            0 | 1 => 300.0,
            2 | 3 => 180.0,
            4..=6 => 120.0,
            _ => 96.0,
        };
        let field = Field {
            width,
            height,
            right: self.right,
            time: Axis::time(time, width),
            step: self.step,
            labelled: false,
        };
        let (key, key_height) = legend(&self.legend, WIDTH - 2.0 * EDGE);
        let top = 58.0 + key_height + 8.0;
        let pitch = HEAD + height + GAP;
        let whole = top + lines as f64 * pitch + FOOT - GAP;
        let title = printable(&self.title);
        let mut page = Document::new()
            .set("viewBox", format!("0 0 {} {}", px(WIDTH), px(whole)))
            .set("width", px(WIDTH))
            .set("height", px(whole))
            .set("role", "img")
            .set("font-family", "sans-serif")
            .set("fill", "#1a1a1a")
            .add(Title::new(title.as_str()))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"))
            .add(
                text(EDGE, 27.0, "start", 17.0, &fitting(&title, WIDTH - 2.0 * EDGE, 9.5))
                    .set("font-weight", "bold"),
            )
            .add(text(EDGE, 47.0, "start", 12.0, &self.subtitle).set("fill", "#555555"))
            .add(key.set("transform", place(EDGE, 58.0)));
        for (k, panel) in panels.enumerate() {
            let (line, column) = (k / columns, k % columns);
            let field = Field { labelled: k + columns >= count, ..field };
            let x = EDGE + LEFT + column as f64 * cell;
            let y = top + line as f64 * pitch + HEAD;
            page = page.add(Group::new().set("transform", place(x, y)).add(panel.draw(&field)));
        }
        page.to_string()
    }
}

fn place(x: f64, y: f64) -> String {
    format!("translate({} {})", px(x), px(y))
}

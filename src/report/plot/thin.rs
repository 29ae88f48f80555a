//! Long rows as short paths: nothing that a pixel could show is lost.

use super::text::push_px;

/// Farthest that a point left out may lie from the line drawn, in pixels.
const NEAR: f64 = 0.1;

/// Stretches and gaps narrower than this are drawn as one, in pixels.
const NARROWEST: f64 = 0.4;

/// A line through points in pixels, `x` rising, as path data; a `y` that is not finite breaks it.
///
/// Of every column of pixels the least and the largest stay, so that no peak is lost; then points within [`NEAR`] of the
/// line through their neighbours go.
pub(super) fn line(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = Path::default();
    let mut column: Option<Column> = None;
    let mut last = None;
    for (x, y) in points {
        if !y.is_finite() {
            column.take().into_iter().for_each(|c| c.close(&mut path));
            last.take().into_iter().for_each(|point| path.add(point));
            path.lift();
            continue;
        }
        last = Some((x, y));
        match &mut column {
            Some(c) if c.number == x.floor() => c.add(x, y),
            _ => {
                column.take().into_iter().for_each(|c| c.close(&mut path));
                column = Some(Column { number: x.floor(), least: (x, y), most: (x, y) });
            }
        }
    }
    column.into_iter().for_each(|c| c.close(&mut path));
    last.into_iter().for_each(|point| path.add(point));
    path.lift();
    path.data
}

/// Stretches of an axis as rectangles of one height, as path data.
pub(super) fn stretches(found: impl Iterator<Item = (f64, f64)>, height: f64) -> String {
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (start, end) in found {
        let end = end.max(start + NARROWEST);
        match merged.last_mut() {
            Some((_, before)) if start - *before < NARROWEST => *before = end,
            _ => merged.push((start, end)),
        }
    }
    let mut data = String::new();
    for (start, end) in merged {
        for (letter, x) in [("M", start), (" 0H", end), ("V", height), ("H", start)] {
            data.push_str(letter);
            push_px(&mut data, x);
        }
        data.push('Z');
    }
    data
}

/// The points of one column of pixels.
struct Column {
    number: f64,
    least: (f64, f64),
    most: (f64, f64),
}

impl Column {
    fn add(&mut self, x: f64, y: f64) {
        if y < self.least.1 {
            self.least = (x, y);
        }
        if y > self.most.1 {
            self.most = (x, y);
        }
    }

    fn close(self, path: &mut Path) {
        let (first, second) =
            if self.least.0 <= self.most.0 { (self.least, self.most) } else { (self.most, self.least) };
        path.add(first);
        path.add(second);
    }
}

/// A path that leaves out what lies on the way: from `anchor` every slope between `low` and `high` passes near all
/// points left out.
#[derive(Default)]
struct Path {
    data: String,
    drawing: bool,
    anchor: (f64, f64),
    pending: Option<(f64, f64)>,
    low: f64,
    high: f64,
}

impl Path {
    fn add(&mut self, point: (f64, f64)) {
        if !self.drawing {
            self.drawing = true;
            self.data.push('M');
            self.write(point);
            return;
        }
        let before = self.pending.unwrap_or(self.anchor);
        if point.0 <= before.0 {
            return; // the same point again
        }
        if let Some(pending) = self.pending {
            let slope = (point.1 - self.anchor.1) / (point.0 - self.anchor.0);
            if slope < self.low || slope > self.high {
                self.data.push(' ');
                self.write(pending);
            }
        }
        let run = point.0 - self.anchor.0;
        let near = [point.1 - NEAR, point.1 + NEAR].map(|y| (y - self.anchor.1) / run);
        (self.low, self.high) = (self.low.max(near[0]), self.high.min(near[1]));
        self.pending = Some(point);
    }

    /// Ends the line here; a line of one point becomes a dot.
    fn lift(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.data.push(' ');
            self.write(pending);
        } else if self.drawing {
            self.data.push_str("h0");
        }
        self.drawing = false;
    }

    /// Writes a point, which is the anchor from now on.
    fn write(&mut self, point: (f64, f64)) {
        push_px(&mut self.data, point.0);
        self.data.push(' ');
        push_px(&mut self.data, point.1);
        self.anchor = point;
        self.pending = None;
        (self.low, self.high) = (f64::NEG_INFINITY, f64::INFINITY);
    }
}

#[cfg(test)]
mod tests {
    use super::{line, stretches};

    /// Claim: a value that is none breaks the line; one alone between two such is a dot; points on the way are left out.
    #[test]
    fn gaps_dots_and_straight_parts() {
        let of = |ys: &[f64]| line(ys.iter().enumerate().map(|(k, y)| (10.0 * k as f64, *y)));
        assert_eq!(of(&[1.0, 2.0, 3.0, 7.5]), "M0 1 20 3 30 7.5");
        assert_eq!(of(&[f64::NAN, 1.0, f64::NAN, f64::INFINITY, 4.0, 5.0]), "M10 1h0M40 4 50 5");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[f64::NAN]), "");
    }

    /// Claim: of a column of pixels the least and the largest value stay, in their order, and the end of the line.
    #[test]
    fn a_column_keeps_its_peaks() {
        let ys = [5.0, 9.0, 5.0, 1.0, 5.0, 5.0];
        assert_eq!(line(ys.iter().enumerate().map(|(k, y)| (k as f64 / 10.0, *y))), "M0.1 9 0.3 1 0.5 5");
    }

    /// Claim: stretches nearer than a pixel shows are one, and a short one can be seen.
    #[test]
    fn stretches_meet_and_show() {
        assert_eq!(
            stretches([(1.0, 2.0), (2.1, 3.0), (5.0, 5.0)].into_iter(), 7.0),
            "M1 0H3V7H1ZM5 0H5.4V7H5Z"
        );
    }
}

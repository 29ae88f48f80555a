//! An axis: values to pixels, and where its ticks stand.

use super::text::number;

/// Larger numbers are not drawn: their differences would overflow.
const LARGEST: f64 = 1e300;

/// A limit is brought into view if that shrinks the data to no less than one part in so many.
const WIDEST: f64 = 3.0;

/// Free room above and below the data, as a part of the whole.
const MARGIN: f64 = 0.07;

/// Longest label that fits beside a panel; longer ones count from the first tick.
const LONGEST: usize = 8;

/// Whether a value can be shown.
pub(super) fn drawable(x: f64) -> bool {
    x.abs() <= LARGEST
}

/// Smallest and largest of the values that can be shown.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|x| drawable(*x)).fold(None, |found, x| match found {
        None => Some((x, x)),
        Some((low, high)) => Some((x.min(low), x.max(high))),
    })
}

/// The least of 1, 2, 5, 10, 20 … that is not below `x > 0`.
pub(super) fn round_up(x: f64) -> f64 {
    let unit = 10_f64.powi(x.log10().floor() as i32);
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|m| m * unit)
        .find(|step| *step >= x * (1.0 - 1e-9))
        .unwrap_or(10.0 * unit)
}

/// Linear; or linear within `± within` and logarithmic beyond, a decade as long as `within`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub within: Option<f64>,
}

impl Scale {
    fn stretch(self, x: f64) -> f64 {
        match self.within {
            Some(within) if x.abs() > within => x.signum() * (1.0 + (x.abs() / within).log10()),
            Some(within) => x / within,
            None => x,
        }
    }
}

/// Values between `low` and `high`, both stretched, on pixels from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

/// A tick: its pixel and its label.
pub(super) type Tick = (f64, String);

impl Axis {
    /// From `0` to `last`, without margins.
    pub fn time(last: f64, width: f64) -> Self {
        Axis { scale: Scale { within: None }, low: 0.0, high: last, start: 0.0, end: width }
    }

    /// Upwards over `height`, around the data; around a limit too where that leaves the data legible.
    pub fn around(data: (f64, f64), limits: impl Iterator<Item = f64>, scale: Scale, height: f64) -> Self {
        let (least, most) = (scale.stretch(data.0), scale.stretch(data.1));
        let constant = |low: f64, high: f64| high - low <= 1e-9 * low.abs().max(high.abs()).max(1e-280);
        let (mut low, mut high) = (least, most);
        for limit in limits.filter(|x| drawable(*x)).map(|x| scale.stretch(x)) {
            let reach = most.max(limit) - least.min(limit);
            if constant(least, most) || reach <= WIDEST * (most - least) {
                (low, high) = (low.min(limit), high.max(limit));
            }
        }
        if constant(low, high) {
            let room = if low.abs() < 1e-280 { 1.0 } else { 0.1 * low.abs() };
            (low, high) = (low - room, high + room);
        }
        let room = MARGIN * (high - low);
        Axis { scale, low: low - room, high: high + room, start: height, end: 0.0 }
    }

    /// The pixel of a value.
    pub fn at(&self, x: f64) -> f64 {
        let part = (self.scale.stretch(x) - self.low) / (self.high - self.low);
        self.start + part * (self.end - self.start)
    }

    /// Whether a value lies on it.
    pub fn holds(&self, x: f64) -> bool {
        (self.low..=self.high).contains(&self.scale.stretch(x))
    }

    /// Ticks, and the number that their labels count from where they would be too long. `apart`: pixels from one to the
    /// next, at least, where that leaves three.
    pub fn ticks(&self, apart: f64) -> (Vec<Tick>, Option<String>) {
        match self.scale.within {
            Some(within) => (self.decades(within, apart), None),
            None => self.even(apart),
        }
    }

    fn even(&self, apart: f64) -> (Vec<Tick>, Option<String>) {
        let most = ((self.end - self.start).abs() / apart).max(1.0);
        let inside = |step: f64| ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let steps = (0..4).map(|k| round_up((self.high - self.low) / (most + k as f64)));
        let mut steps = steps.map(|step| (step, inside(step)));
        let enough = steps.clone().find(|(_, (first, last))| last - first >= 2);
        let Some((step, (first, last))) = enough.or_else(|| steps.next()) else { return Default::default() };
        let values: Vec<f64> = (first..=last).map(|k| k as f64 * step).collect();
        let labels = |from: f64| -> Vec<String> { values.iter().map(|x| number(x - from, step)).collect() };
        let plain = labels(0.0);
        let base = values.first().filter(|_| plain.iter().any(|label| label.chars().count() > LONGEST));
        let labels = base.map_or(plain.clone(), |base| labels(*base));
        let ticks = values.iter().map(|x| self.at(*x)).zip(labels).collect();
        (ticks, base.map(|base| number(*base, step)))
    }

    /// Zero, the outermost powers of ten, both ends of the linear part, then the other powers, as far as there is room.
    fn decades(&self, within: f64, apart: f64) -> Vec<Tick> {
        let outermost = within * 10_f64.powf((self.low.abs().max(self.high.abs()) - 1.0).max(0.0));
        let (first, last) = (within.log10().floor() as i32 + 1, outermost.log10().floor() as i32);
        let powers = |sign: f64| (first..=last).rev().map(move |k| sign * 10_f64.powi(k));
        let outer = [1.0, -1.0].into_iter().filter_map(|sign| powers(sign).find(|x| self.holds(*x)));
        let all = std::iter::once(0.0).chain(outer).chain([within, -within]);
        let mut ticks: Vec<Tick> = Vec::new();
        for x in all.chain(powers(1.0)).chain(powers(-1.0)).filter(|x| self.holds(*x)) {
            let y = self.at(x);
            if ticks.iter().all(|(other, _)| (other - y).abs() >= 0.55 * apart) {
                ticks.push((y, number(x, x.abs())));
            }
        }
        ticks
    }
}

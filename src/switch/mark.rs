//! What a watched switch has done.

use super::Observed;
use super::step_status::{Break, Seen, reading};
use crate::real::Real;

/// What a watched switch has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Which watch it is of.
    pub watch: usize,
    pub kind: Break,
    pub per_margin: f64,
    /// So many margins from zero it is worth a closer look: one, or for a jump any.
    pub alert: f64,
    /// The nearest value, its size and its time.
    pub size: f64,
    pub value: f64,
    pub time: f64,
    pub side: i8,
    pub zero: Option<f64>,
    pub crossed: Option<f64>,
    pub undecided: Option<(f64, u64)>,
}

impl Mark {
    pub fn new(watch: usize, kind: Break, margin: f64) -> Self {
        Mark {
            watch,
            kind,
            per_margin: margin.recip(),
            alert: if kind == Break::Jump { f64::INFINITY } else { 1.0 },
            size: f64::INFINITY,
            value: f64::INFINITY,
            time: f64::NAN,
            side: 0,
            zero: None,
            crossed: None,
            undecided: None,
        }
    }

    #[inline]
    pub fn note<T: Real>(&mut self, indicator: T, time: f64, seen: &mut Seen) {
        let value = indicator.primal();
        let margins = value.abs() * self.per_margin;
        seen.note(self.watch, value, margins);
        if value.abs() < self.size {
            (self.size, self.value, self.time) = (value.abs(), value, time);
        }
        if margins <= self.alert {
            self.alarm(seen, &indicator, time);
        }
    }

    /// Within its margin, or of a switch whose sides matter.
    #[cold]
    fn alarm<T: Real>(&mut self, seen: &mut Seen, indicator: &T, time: f64) {
        let (value, undecided) = reading(indicator);
        if value.abs() * self.per_margin <= 1.0 {
            seen.near(value, self.kind);
            if value == 0.0 {
                self.zero.get_or_insert(time);
            }
            if undecided {
                self.tie(time);
            }
        }
        if self.kind == Break::Jump && self.cross(value, time) {
            seen.observed = seen.observed.max(Observed::Jump);
        }
    }

    pub fn tie(&mut self, time: f64) {
        let (first, times) = self.undecided.unwrap_or((time, 0));
        self.undecided = Some((first, times + 1));
    }

    /// The other side of a jump than before: an output jumped between.
    fn cross(&mut self, value: f64, time: f64) -> bool {
        // Zero is on neither side, and so is what is no number.
        let side = if value > 0.0 {
            1
        } else if value < 0.0 {
            -1
        } else {
            return false;
        };
        let crossed = side == -self.side;
        self.side = side;
        if crossed {
            self.crossed.get_or_insert(time);
        }
        crossed
    }
}

//! What a joint is told.

use crate::error::{Error, Result};
use crate::real::Real;
use crate::switch::Switch;

/// A joint's effort (N m; N) or, on the kinematic rung, its commanded position (rad; m): evaluated at the start of a
/// step, held over it.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// The same always.
    Constant(f64),
    /// `offset + amplitude sin(2π frequency t + phase)`.
    Sine {
        /// In the drive's unit.
        amplitude: f64,
        /// Hz.
        frequency: f64,
        /// rad.
        phase: f64,
        /// In the drive's unit.
        offset: f64,
    },
    /// Read off a table.
    Table(Table),
    /// `kp (target − q) − kd v`, an effort.
    Pd {
        /// rad; m.
        target: f64,
        /// N m/rad; N/m.
        kp: f64,
        /// N m s/rad; N s/m.
        kd: f64,
    },
}

impl Drive {
    /// Its value at `t` seconds, of a joint at `q`, `v`.
    ///
    /// # Derivative
    /// Exact by `q` and `v`.
    pub fn value<T: Real>(&self, t: f64, q: T, v: T) -> T {
        match self {
            Drive::Constant(value) => T::from_f64(*value),
            Drive::Sine { amplitude, frequency, phase, offset } => {
                T::from_f64(offset + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin())
            }
            Drive::Table(table) => T::from_f64(table.value(t)),
            Drive::Pd { target, kp, kd } => (T::from_f64(*target) - q).scale(*kp) - v.scale(*kd),
        }
    }

    /// The switches its law evaluates: none of these has any. They are pieces in time, not in the state.
    pub fn switches(&self) -> &'static [&'static Switch] {
        &[]
    }

    /// Its kind, as experiment files write it.
    pub fn kind(&self) -> &'static str {
        match self {
            Drive::Constant(_) => "constant",
            Drive::Sine { .. } => "sine",
            Drive::Table(_) => "table",
            Drive::Pd { .. } => "pd",
        }
    }
}

/// What a table says between two of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The row before.
    ZeroOrder,
    /// Between the two, in proportion.
    Linear,
}

/// Values at rising times; before the first and after the last row that row holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    times: Vec<f64>,
    values: Vec<f64>,
    hold: Hold,
}

impl Table {
    /// A table of `times` (s) and as many `values`.
    ///
    /// # Errors
    /// [`Error::Value`]: no row, a number that is not finite, times that do not rise; [`Error::Length`].
    pub fn new(times: Vec<f64>, values: Vec<f64>, hold: Hold) -> Result<Self> {
        if times.is_empty() {
            return Err(Error::value("table", "no row", "at least one row"));
        }
        if times.len() != values.len() {
            return Err(Error::Length { who: "table".into(), found: values.len(), expected: times.len() });
        }
        if let Some(x) = times.iter().chain(&values).find(|x| !x.is_finite()) {
            return Err(Error::value("table", x, "finite numbers"));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[1] <= pair[0]) {
            let found = format!("time {} after {}", pair[1], pair[0]);
            return Err(Error::value("table", found, "times that rise from row to row"));
        }
        Ok(Table { times, values, hold })
    }

    /// The value at `t` seconds.
    pub fn value(&self, t: f64) -> f64 {
        // `t = k dt` may lie a rounding below the decimal a file writes for the same instant.
        let reached = t + 4.0 * f64::EPSILON * t.abs();
        let after = self.times.partition_point(|time| *time <= reached);
        if after == 0 {
            return self.values[0];
        }
        let before = after - 1;
        if self.hold == Hold::ZeroOrder || after == self.times.len() {
            return self.values[before];
        }
        let part = (t - self.times[before]) / (self.times[after] - self.times[before]);
        self.values[before] + part * (self.values[after] - self.values[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows hold before, at and after their times; linear ones meet them. Values by hand.
    #[test]
    fn tables_hold_and_interpolate() {
        let of = |hold| Table::new(vec![0.5, 1.0, 2.0], vec![1.0, 3.0, -1.0], hold).expect("a table");
        let (steps, lines) = (of(Hold::ZeroOrder), of(Hold::Linear));
        for (t, held, between) in [
            (0.0, 1.0, 1.0),
            (0.5, 1.0, 1.0),
            (0.75, 1.0, 2.0),
            (1.0, 3.0, 3.0),
            (1.5, 3.0, 1.0),
            (9.0, -1.0, -1.0),
        ] {
            assert_eq!(steps.value(t), held, "zero order at {t}");
            assert!((lines.value(t) - between).abs() < 1e-15, "linear at {t}");
        }
    }

    /// A row written for the instant of a step is taken at that step, however `k dt` rounds.
    #[test]
    fn a_row_on_a_step_is_taken_there() {
        for dt in [1e-3, 0.7e-3, 1.0 / 3.0 * 1e-2] {
            for k in 1..20_000u32 {
                // What a file would hold: the same instant, rounded once from its decimal digits.
                let written: f64 = format!("{:.15e}", f64::from(k) * dt).parse().expect("a number");
                let table = Table::new(vec![0.0, written], vec![0.0, 1.0], Hold::ZeroOrder).expect("a table");
                assert_eq!(table.value(f64::from(k) * dt), 1.0, "step {k} of {dt}");
            }
        }
    }

    /// Times that stand still or go back, and numbers that are none, are refused.
    #[test]
    fn bad_tables_are_refused() {
        for (times, values) in [
            (vec![], vec![]),
            (vec![0.0, 0.0], vec![1.0; 2]),
            (vec![0.0, f64::NAN], vec![1.0; 2]),
            (vec![0.0], vec![]),
        ] {
            assert!(Table::new(times, values, Hold::Linear).is_err());
        }
    }
}

//! What a rollout starts from and is told.

use super::{Drive, Rung};
use crate::dynamics::assert_len;
use crate::error::{Error, Result};
use crate::real::{Real, Tangents};
use crate::step::State;

/// A start, and what the joints are told in every step: the value of the step, plus what the joint's drive says.
///
/// ```text
/// u_kj = values[k n + j] + drive_j(t_k, q_kj, v_kj)        t_k = k dt, held over the step
/// ```
///
/// Efforts (N m; N), or commanded positions (rad; m) on the kinematic rung. A joint without a drive is told its values alone.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Where it starts.
    pub start: &'a State<f64>,
    /// A drive, or none, for each joint; empty where no joint has one.
    pub drives: &'a [Option<Drive>],
    /// One value a joint for each step, step by step.
    pub values: &'a [f64],
}

impl Course<'_> {
    /// Its numbers fit an arm and a number of steps, and the start is one the arm can have.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Value`]: a value that is not finite, a start outside the limits.
    pub(super) fn check(&self, rung: &Rung, steps: usize) -> Result<()> {
        let joints = rung.model().joints().len();
        let length = |who: &str, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(Error::Length { who: who.into(), found, expected }) }
        };
        length("values", self.values.len(), steps * joints)?;
        if !self.drives.is_empty() {
            length("drives", self.drives.len(), joints)?;
        }
        if let Some(k) = self.values.iter().position(|x| !x.is_finite()) {
            let who = format!("values of {} in step {}", rung.model().joints()[k % joints].name, k / joints);
            return Err(Error::value(&who, self.values[k], "a finite number"));
        }
        rung.state(&self.start.q, &self.start.v).map(|_| ())
    }

    /// What the joints are told in step `k` of a machine in a state; `value` gives the step's own part.
    pub(super) fn tell<T: Real>(
        &self,
        rung: &Rung<T>,
        k: usize,
        state: &State<T>,
        value: impl Fn(usize, f64) -> T,
        input: &mut [T],
    ) {
        let (n, t) = (input.len(), k as f64 * rung.dt());
        assert_len!(state.q, n, "q");
        for (j, (input, own)) in input.iter_mut().zip(&self.values[k * n..(k + 1) * n]).enumerate() {
            *input = value(j, *own);
            if let Some(drive) = self.drives.get(j).and_then(Option::as_ref) {
                *input += drive.value(t, state.q[j], state.v[j]);
            }
        }
        if let Rung::Kinematic(arm) = rung {
            // What a joint that follows another is told is what its leader is told.
            arm.model().coupling().positions(input);
        }
    }

    /// `∂u_j/∂q_j` and `∂u_j/∂v_j` of a joint's drive in step `k`, where it has one.
    pub(super) fn slopes(&self, k: usize, dt: f64, j: usize, state: &State<f64>) -> Option<[f64; 2]> {
        let drive = self.drives.get(j)?.as_ref()?;
        let seeded = |x, lane| Tangents::<2>::variable(x, lane);
        Some(drive.value(k as f64 * dt, seeded(state.q[j], 0), seeded(state.v[j], 1)).tangents)
    }
}

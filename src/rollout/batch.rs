//! Gradients of many rollouts at once.

use super::{Adjoint, By, Course, Objective, RolloutGradient, Rung};
use crate::error::Result;
use crate::switch::Gradient;
use rayon::prelude::*;

/// The gradients of an objective over many courses of as many steps, on all cores: one result a course, in their order.
///
/// Each course is one thread's work from start to end, so that no result depends on how many threads there are, to the bit.
/// The number of threads is rayon's: `RAYON_NUM_THREADS`, or a pool's `install`.
///
/// # Errors
/// As [`Adjoint::new`]; each course's own as [`Adjoint::gradient`].
pub fn gradients(
    rung: &Rung,
    objective: &Objective,
    by: &By,
    steps: usize,
    courses: &[Course<'_>],
) -> Result<Vec<Result<Gradient<RolloutGradient>>>> {
    let first = Adjoint::new(rung, objective, by.clone(), steps)?;
    let one = |adjoint: &mut Adjoint<'_>, course: &Course<'_>| adjoint.gradient(course);
    Ok(courses.par_iter().map_init(|| first.clone(), one).collect())
}

//! Whether a mass matrix can be solved with.

use crate::dynamics::coupled::{Workspace, independent, mass_matrix};
use crate::model::Model;

/// The joint that moves no inertia, up to rounding; by the velocity coordinate. Then there is no forward dynamics.
///
/// Eliminates `M` from the last joint towards the root: what is left of a diagonal entry is the inertia a joint moves
/// with all joints below it free. It is none when it is within rounding of what it was made of.
pub(super) fn moves_nothing(machine: &Model<f64>, ws: &mut Workspace<f64>, q: &[f64]) -> Option<usize> {
    let n = independent(machine);
    let coupling = machine.coupling();
    let mut m = vec![0.0; n * n];
    mass_matrix(machine, ws, q, &[], &mut m);
    let whole: Vec<f64> = (0..n).map(|k| m[k * (n + 1)].abs()).collect();
    let rounding = 16.0 * (n as f64 + 4.0) * f64::EPSILON;
    for k in (0..n).rev() {
        // A hinge's entry is a difference of moments of everything it moves, about its own origin.
        let size = |j: &usize| match machine.joints()[*j].kind.slides() {
            true => 0.0,
            false => {
                let moment = ws.dynamics.composite[*j + 1].second_moment.trace().abs();
                moment * coupling.members()[*j].multiplier.powi(2)
            }
        };
        let coordinate = k.checked_sub(machine.base_velocities());
        let moving = coordinate.map(|c| coupling.independent()[c..=c].iter().chain(coupling.followers(c)));
        let made_of = moving.into_iter().flatten().map(size).fold(whole[k], f64::max);
        let left = m[k * n + k];
        let resolved = left.abs() > rounding * made_of;
        if !resolved {
            return Some(k);
        }
        for i in 0..k {
            let factor = m[k * n + i] / left;
            for j in 0..=i {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    None
}

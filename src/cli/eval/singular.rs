//! Whether a mass matrix can be solved with.

use crate::dynamics::{Workspace, mass_matrix};
use crate::model::Model;

/// The joint that moves no inertia, up to rounding; by the velocity coordinate. Then there is no forward dynamics.
///
/// Eliminates `M` from the last joint towards the root: what is left of a diagonal entry is the inertia a joint moves
/// with all joints below it free. It is none when it is within rounding of what it was made of.
pub(super) fn moves_nothing(machine: &Model<f64>, ws: &mut Workspace<f64>, q: &[f64]) -> Option<usize> {
    let n = machine.velocities();
    let mut m = vec![0.0; n * n];
    mass_matrix(machine, ws, q, &[], &mut m);
    let whole: Vec<f64> = (0..n).map(|k| m[k * (n + 1)].abs()).collect();
    let rounding = 16.0 * (n as f64 + 4.0) * f64::EPSILON;
    for k in (0..n).rev() {
        let joint = k.checked_sub(machine.base_velocities());
        // A hinge's entry is a difference of moments of everything it moves, about its own origin.
        let size = joint.map_or(0.0, |j| ws.composite[j + 1].second_moment.trace().abs());
        let turns = joint.is_some_and(|j| !machine.joints()[j].kind.slides());
        let made_of = if turns { whole[k].max(size) } else { whole[k] };
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

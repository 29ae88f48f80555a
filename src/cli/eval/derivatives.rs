//! Derivatives by duals, eight seeds a pass.

use super::state::State;
use crate::dynamics::coupled::{self, Workspace, forward_dynamics, inverse_dynamics};
use crate::dynamics::{Loads, Wrench};
use crate::model::Model;
use crate::real::{Real, Tangents};

/// Seeds of one pass: the lanes of two AVX registers.
const WIDTH: usize = 8;
type Dual = Tangents<WIDTH>;

/// What a derivative is by.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum By {
    Position,
    Velocity,
    Effort,
}

/// What it is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    InverseDynamics,
    ForwardDynamics,
}

/// The machine in duals, once for all derivatives at a state.
pub(super) struct Derivatives<'a> {
    state: &'a State,
    machine: Model<Dual>,
    ws: Workspace<Dual>,
    wrenches: Vec<Wrench<Dual>>,
}

impl<'a> Derivatives<'a> {
    pub fn new(state: &'a State) -> Self {
        let machine = state.machine.map(Dual::from_f64);
        let wrenches = state.wrenches.iter().map(|wrench| Wrench {
            frame: wrench.frame,
            force: wrench.force.map(Dual::from_f64),
            moment: wrench.moment.map(Dual::from_f64),
        });
        Derivatives { state, ws: Workspace::new(&machine), wrenches: wrenches.collect(), machine }
    }

    /// The matrix of derivatives, row by row, one column a velocity coordinate.
    ///
    /// By a free base's position: by world translation, then by a world rotation vector `d` applied on the left, whose
    /// tangent of the quaternion is `q̇ = ½ (0, d) ⊗ q`.
    pub fn of(&mut self, of: Of, by: By) -> Vec<f64> {
        let n = coupled::independent(&self.machine);
        let mut matrix = vec![0.0; n * n];
        let mut out = vec![Dual::from_f64(0.0); n];
        for first in (0..n).step_by(WIDTH) {
            let lanes = WIDTH.min(n - first);
            let [mut q, mut v, a, mut tau] = [&self.state.q, &self.state.v, &self.state.a, &self.state.tau]
                .map(|x| x.iter().map(|x| Dual::from_f64(*x)).collect::<Vec<_>>());
            for lane in 0..lanes {
                match by {
                    By::Position => seed_position(&mut q, n, first + lane, lane),
                    By::Velocity => v[first + lane].tangents[lane] = 1.0,
                    By::Effort => tau[first + lane].tangents[lane] = 1.0,
                }
            }
            let loads = Loads { wrenches: &self.wrenches, carried: &[] };
            match of {
                Of::InverseDynamics => {
                    inverse_dynamics(&self.machine, &mut self.ws, &q, &v, &a, &loads, &mut out);
                }
                Of::ForwardDynamics => {
                    forward_dynamics(&self.machine, &mut self.ws, &q, &v, &tau, &loads, &mut out);
                }
            }
            for (row, x) in matrix.chunks_exact_mut(n).zip(&out) {
                row[first..first + lanes].copy_from_slice(&x.tangents[..lanes]);
            }
        }
        matrix
    }
}

/// Makes coordinate `i` of the motion the seed of a lane.
fn seed_position(q: &mut [Dual], n: usize, i: usize, lane: usize) {
    // A free base has seven positions for six motions.
    let extra = q.len() - n;
    if extra == 0 || i < 3 {
        q[i].tangents[lane] = 1.0;
    } else if i >= 6 {
        q[i + extra].tangents[lane] = 1.0;
    } else {
        let [w, x, y, z] = [q[3].value, q[4].value, q[5].value, q[6].value];
        let turned = match i - 3 {
            0 => [-x, w, -z, y],
            1 => [-y, z, w, -x],
            _ => [-z, -y, x, w],
        };
        for (q, t) in q[3..7].iter_mut().zip(turned) {
            q.tangents[lane] = 0.5 * t;
        }
    }
}

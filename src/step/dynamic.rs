//! The dynamic rung: joints driven by efforts.

use super::impulse::{Bounds, Piece, Problem, exact, sweeps};
use super::inputs::Inputs;
use super::outcome::{Indicators, Outcome, StepReport};
use super::spin;
use super::state::State;
use super::switches::{FRICTION_LOW, STOP_LOW};
use super::workspace::StepWorkspace;
use crate::dynamics::{
    Loads, assert_len, frame_poses_placed, frame_twists_placed, mass_matrix_placed, newton_euler, place,
    place_world,
};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::real::Real;
use crate::switch::{self, Choices};

/// How the impulses of stops and friction are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Solver {
    /// The problem's one answer.
    Exact,
    /// A fixed count of projected Gauss–Seidel sweeps.
    Sweeps(u32),
}

/// An arm whose joints are driven by efforts, with rigid stops, Coulomb friction and damping.
///
/// ```
/// use articula::model::{Builder, Inertial, JointKind, JointSpec};
/// use articula::step::{DynamicArm, Inputs, Outcome, Solver, StepWorkspace};
/// use articula::switch::Choices;
///
/// let mut slide = Builder::new("slide"); // 2 kg pushed by 1 N: q = F t²/(2m) = 0.25 m after 1 s
/// slide.link("rail", None).link("cart", Some(Inertial::new(2.0, [0.0; 3], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1])));
/// slide.joint(JointSpec {
///     name: "slide".into(), kind: Some(JointKind::Prismatic), parent: "rail".into(), child: "cart".into(),
///     ..JointSpec::default()
/// });
/// let arm = DynamicArm::new(slide.build()?, 1e-3, Solver::Exact)?;
/// let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
/// let mut state = arm.state(&[0.0], &[0.0])?;
/// for _ in 0..1000 {
///     let report = arm.step(&mut ws, &mut state, &Inputs::effort(&[1.0]), &mut Choices::free(), &mut out);
///     assert!(report.settled());
/// }
/// assert!((state.q[0] - 0.25).abs() < 1e-3 * 1.0 / (2.0 * 2.0) * 1.001); // first order: off by F dt t/(2m)
/// # Ok::<(), articula::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DynamicArm<T> {
    model: Model<T>,
    dt: f64,
    solver: Solver,
}

impl<T: Real> DynamicArm<T> {
    /// An arm with a step of `dt` seconds.
    ///
    /// # Errors
    /// [`Error::Value`]: a free base (this rung's is fixed in the world), a step that is not positive, or a moving body
    /// without mass, named.
    pub fn new(model: Model<T>, dt: f64, solver: Solver) -> Result<Self> {
        if model.has_free_base() {
            return Err(Error::value(
                model.name(),
                "a free base",
                "a root fixed in the world for the dynamic rung",
            ));
        }
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(Error::value("time.step", dt, "a positive number of seconds"));
        }
        for (body, joint) in model.bodies[1..].iter().zip(model.joints()) {
            if body.inertia.mass.primal() <= 0.0 {
                return Err(Error::value(
                    &joint.name,
                    "a moving body without mass",
                    "an <inertial> on the link it moves, or on one fixed to that: the dynamic rung needs mass to move",
                ));
            }
        }
        Ok(DynamicArm { model, dt, solver })
    }

    /// The machine.
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The step's length, s.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// How impulses are found.
    pub fn solver(&self) -> Solver {
        self.solver
    }

    /// The same arm in another scalar.
    pub fn map<U: Real>(&self, f: impl FnMut(T) -> U) -> DynamicArm<U> {
        DynamicArm { model: self.model.map(f), dt: self.dt, solver: self.solver }
    }

    /// A state to start from.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Value`] for a number that is not finite or a position outside its limits.
    pub fn state(&self, q: &[T], v: &[T]) -> Result<State<T>> {
        super::state::checked(&self.model, q, v)
    }

    /// One step of `dt`: see [`crate::step`] for its law.
    ///
    /// | symbol | argument | unit |
    /// |---|---|---|
    /// | `q, v → q⁺, v⁺` | `state` | rad, rad/s; m, m/s |
    /// | `u, W, H, C0, C1` | `inputs` | N m; N; N m s; kg m² |
    /// | `p, g, …` | `out` | N m s; N s |
    ///
    /// Every choice passes through `choices`. Allocates nothing (recording does). The initial position must be within
    /// the limits: [`DynamicArm::state`] checks it, a step keeps it.
    ///
    /// # Panics
    /// On a slice of the wrong length or an unknown frame.
    ///
    /// # Derivative
    /// That of the pieces the joints are on; a kink where an indicator of [`Outcome::indicators`] is zero.
    pub fn step(
        &self,
        ws: &mut StepWorkspace<T>,
        state: &mut State<T>,
        inputs: &Inputs<T>,
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) -> StepReport {
        self.system(ws, state, inputs, out);
        self.bound(ws, state);
        let report = self.solve(ws, state, choices);
        self.advance(ws, state, choices, out);
        place(&self.model, &mut ws.dynamics, &state.q);
        place_world(&self.model, &mut ws.dynamics);
        frame_poses_placed(&self.model, &ws.dynamics, &mut out.frame_poses);
        frame_twists_placed(&self.model, &mut ws.dynamics, &state.v, &mut out.frame_twists);
        report
    }

    /// `Ms`, the turned velocity, `A` and `y = Ms v′ + dt (u − h)`.
    fn system(&self, ws: &mut StepWorkspace<T>, state: &State<T>, inputs: &Inputs<T>, out: &mut Outcome<T>) {
        let (model, n) = (&self.model, self.model.joints().len());
        assert_len!(inputs.effort, n, "effort");
        place(model, &mut ws.dynamics, &state.q);
        place_world(model, &mut ws.dynamics);
        mass_matrix_placed(model, &mut ws.dynamics, inputs.carried_start, &mut ws.start);
        if inputs.carried_start.is_empty() && inputs.carried_end.is_empty() {
            ws.system.copy_from_slice(&ws.start);
        } else {
            mass_matrix_placed(model, &mut ws.dynamics, inputs.carried_end, &mut ws.system);
        }
        spin::turn(model, ws, self.dt, inputs.momenta, &state.v, &mut out.v_turned);
        let loads = Loads { wrenches: inputs.wrenches, carried: inputs.carried_start };
        newton_euler(model, &mut ws.dynamics, &out.v_turned, None, &loads, &mut ws.bias);
        for (j, joint) in model.joints().iter().enumerate() {
            ws.system[j * (n + 1)] += joint.damping.scale(self.dt);
            let row = &ws.start[j * n..(j + 1) * n];
            let drive = (inputs.effort[j] - ws.bias[j]).scale(self.dt);
            ws.momentum[j] = crate::dynamics::ldl::dot(row, &out.v_turned) + drive;
        }
    }

    /// Each joint's bounds over the step, from where it is.
    fn bound(&self, ws: &mut StepWorkspace<T>, state: &State<T>) {
        let rate = 1.0 / self.dt;
        for ((bounds, joint), q) in ws.bounds.iter_mut().zip(self.model.joints()).zip(&state.q) {
            *bounds = Bounds {
                friction: joint.friction.map(|mu| mu.scale(self.dt)),
                lower: joint.lower.map(|lower| (lower - *q).scale(rate)),
                upper: joint.upper.map(|upper| (upper - *q).scale(rate)),
            };
        }
    }

    fn solve(&self, ws: &mut StepWorkspace<T>, state: &State<T>, choices: &mut Choices) -> StepReport {
        let StepWorkspace { system, momentum, bounds, solution, .. } = ws;
        let problem = Problem { matrix: system, momentum, bounds };
        match self.solver {
            Solver::Exact => exact::exact(&problem, &state.v, choices, solution),
            Solver::Sweeps(count) => sweeps::sweeps(&problem, count, choices, solution),
        }
        .into()
    }

    /// The new state, and what each joint's law made of the step.
    fn advance(
        &self,
        ws: &StepWorkspace<T>,
        state: &mut State<T>,
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) {
        let found = &ws.solution;
        let rate = 1.0 / self.dt;
        for (j, joint) in self.model.joints().iter().enumerate() {
            let (piece, p, free, w) =
                (found.pieces[j], found.impulse[j], found.free_velocity[j], found.compliance[j]);
            out.pieces[j] = piece;
            out.v_free[j] = free;
            let friction = ws.bounds[j].friction;
            let exact = self.solver == Solver::Exact;
            let instance = AFTER_THE_SOLVE + j as u64;
            out.friction_impulse[j] = match (friction, piece) {
                (None, _) => T::zero(),
                // On its piece, friction is what the piece says; sweeps need not have got there.
                (Some(most), Piece::Lower | Piece::SlideMinus) if exact => most,
                (Some(most), Piece::Upper | Piece::SlidePlus) if exact => -most,
                (Some(_), _) if exact => p,
                (Some(most), _) => {
                    switch::clamp(p, Some(-most), Some(most), choices, &FRICTION_LOW, instance)
                }
            };
            out.stop_impulse[j] = p - out.friction_impulse[j];

            let start = state.q[j];
            // What friction alone would leave of the free velocity: an indicator, which nothing is computed from.
            let slid = friction.map_or(free, |most| switch::softened(free, w * most));
            let end = start + slid.scale(self.dt);
            let stop = (free / w).scale(rate);
            out.indicators[j] = Indicators {
                stop_low: joint.lower.map(|lower| end - lower),
                stop_high: joint.upper.map(|upper| upper - end),
                friction_low: joint.friction.map(|mu| mu - stop),
                friction_high: joint.friction.map(|mu| mu + stop),
            };

            let v = found.velocity[j];
            state.v[j] = v;
            let reached = start + v.scale(self.dt);
            let bounded = joint.lower.is_some() || joint.upper.is_some();
            state.q[j] = match piece {
                Piece::Lower if exact => joint.lower.unwrap_or(reached),
                Piece::Upper if exact => joint.upper.unwrap_or(reached),
                _ if bounded => {
                    switch::clamp(reached, joint.lower, joint.upper, choices, &STOP_LOW, instance)
                }
                _ => reached,
            };
        }
        state.t += self.dt;
    }
}

/// Instances of choices made after the solve, apart from those of the sweeps' visits.
const AFTER_THE_SOLVE: u64 = 1 << 48;

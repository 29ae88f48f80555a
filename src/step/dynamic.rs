//! The dynamic rung: joints driven by efforts.

use super::group::{self, Group};
use super::impulse::{Bounds, Problem, Settlement, exact, sweeps};
use super::inputs::Inputs;
use super::observe::{Law, laws};
use super::outcome::{Outcome, StepReport};
use super::spin;
use super::state::State;
use super::workspace::StepWorkspace;
use crate::dynamics::{
    Carried, Loads, Workspace, assert_len, frame_poses_placed, frame_twists_placed, mass_matrix_placed,
    newton_euler, place, place_world,
};
use crate::error::{Error, Result};
use crate::input::limits::SWEEPS;
use crate::model::{Model, project_square};
use crate::real::Real;
use crate::switch::Choices;

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
    /// Its switches, with what counts as near.
    pub(super) laws: Vec<Law>,
}

impl<T: Real> DynamicArm<T> {
    /// An arm with a step of `dt` seconds.
    ///
    /// # Errors
    /// [`Error::Value`]: a free base (this rung's is fixed in the world), a step that is not positive, more
    /// sweeps than end, a moving body
    /// without mass, or coupled joints whose stops leave no room, named.
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
        if let Solver::Sweeps(sweeps) = solver
            && sweeps > SWEEPS
        {
            let expected = format!("at most {SWEEPS}: \"exact\" takes less time than a hundred");
            return Err(Error::value("solver.sweeps", sweeps, &expected));
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
        group::check(&model)?;
        let laws = laws(&model, dt, Some(solver));
        Ok(DynamicArm { model, dt, solver, laws })
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
        let (model, laws) = (self.model.map(f), self.laws.clone());
        DynamicArm { model, dt: self.dt, solver: self.solver, laws }
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
    /// A joint that follows another ([`Model::coupling`]) has its position and velocity from that one, before and after.
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
        self.bound(ws, state, inputs, choices);
        let report = self.solve(ws, choices);
        out.report = report;
        self.advance(ws, state, choices, out);
        place(&self.model, &mut ws.dynamics, &state.q);
        place_world(&self.model, &mut ws.dynamics);
        frame_poses_placed(&self.model, &ws.dynamics, &mut out.frame_poses);
        frame_twists_placed(&self.model, &mut ws.dynamics, &state.v, &mut out.frame_twists);
        report
    }

    /// `Ms`, the turned velocity, `A` and `y = Ms v′ + dt (u − h)`.
    fn system(
        &self,
        ws: &mut StepWorkspace<T>,
        state: &mut State<T>,
        inputs: &Inputs<T>,
        out: &mut Outcome<T>,
    ) {
        let (model, coupling) = (&self.model, self.model.coupling());
        assert_len!(inputs.effort, model.joints().len(), "effort");
        coupling.positions(&mut state.q);
        coupling.rates(&mut state.v);
        place(model, &mut ws.dynamics, &state.q);
        place_world(model, &mut ws.dynamics);
        mass(model, &mut ws.dynamics, inputs.carried_start, &mut ws.whole, &mut ws.start);
        if inputs.carried_start.is_empty() && inputs.carried_end.is_empty() {
            ws.system.copy_from_slice(&ws.start);
        } else {
            mass(model, &mut ws.dynamics, inputs.carried_end, &mut ws.whole, &mut ws.system);
        }
        coupling.gather(&state.v, &mut ws.rates);
        spin::turn(model, ws, self.dt, inputs.momenta);
        coupling.scatter(&ws.turned, &mut out.v_turned);
        let loads = Loads { wrenches: inputs.wrenches, carried: inputs.carried_start };
        newton_euler(model, &mut ws.dynamics, &out.v_turned, None, &loads, &mut ws.bias);
        for (drive, (effort, bias)) in ws.product.iter_mut().zip(inputs.effort.iter().zip(&ws.bias)) {
            *drive = (*effort - *bias).scale(self.dt);
        }
        coupling.project(&ws.product, &mut ws.momentum);
        let n = ws.momentum.len();
        for (momentum, row) in ws.momentum.iter_mut().zip(ws.start.chunks_exact(n.max(1))) {
            *momentum += crate::dynamics::ldl::dot(row, &ws.turned);
        }
        for (joint, member) in model.joints().iter().zip(coupling.members()) {
            let damping = joint.damping * member.multiplier * member.multiplier;
            ws.system[member.coordinate * (n + 1)] += damping.scale(self.dt);
        }
    }

    /// Each coordinate's bounds over the step, from where it is.
    fn bound(&self, ws: &mut StepWorkspace<T>, state: &State<T>, inputs: &Inputs<T>, choices: &mut Choices) {
        if !inputs.friction.is_empty() {
            assert_len!(inputs.friction, self.model.joints().len(), "friction");
        }
        for (j, (friction, joint)) in ws.friction.iter_mut().zip(self.model.joints()).enumerate() {
            *friction = joint.friction.map(|own| inputs.friction.get(j).copied().unwrap_or(own));
        }
        let rate = 1.0 / self.dt;
        for (coordinate, &j) in self.model.coupling().independent().iter().enumerate() {
            let group = Group::with_friction(&self.model, coordinate, |j| ws.friction[j], choices);
            ws.bounds[coordinate] = Bounds {
                friction: group.friction.map(|mu| mu.scale(self.dt)),
                lower: group.lower.map(|(lower, _)| (lower - state.q[j]).scale(rate)),
                upper: group.upper.map(|(upper, _)| (upper - state.q[j]).scale(rate)),
            };
            ws.groups[coordinate] = group;
        }
    }

    fn solve(&self, ws: &mut StepWorkspace<T>, choices: &mut Choices) -> StepReport {
        let StepWorkspace { system, momentum, bounds, solution, rates, .. } = ws;
        let problem = Problem { matrix: system, momentum, bounds };
        let mut report: StepReport = match self.solver {
            Solver::Exact => exact::exact(&problem, rates, choices, solution),
            Solver::Sweeps(count) => sweeps::sweeps(&problem, count, choices, solution),
        }
        .into();
        if let Settlement::NotFinite { joint } = &mut report.settlement {
            *joint = self.model.coupling().independent()[*joint];
        }
        report
    }
}

/// `M` of the coordinates: of all joints, or `Jᵀ M J` where some follow others. After [`place_world`].
pub(super) fn mass<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    carried: &[Carried<T>],
    whole: &mut [T],
    out: &mut [T],
) {
    let coupling = model.coupling();
    if coupling.is_trivial() {
        mass_matrix_placed(model, ws, carried, out);
    } else {
        mass_matrix_placed(model, ws, carried, whole);
        project_square(coupling.members(), coupling.independent().len(), whole, out);
    }
}

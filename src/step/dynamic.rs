//! The dynamic rung: joints driven by efforts.

use super::group::{self, Group, backwards, magnitude};
use super::impulse::{Bounds, Piece, Problem, Settlement, exact, sweeps};
use super::inputs::Inputs;
use super::outcome::{Indicators, Outcome, StepReport};
use super::spin;
use super::state::State;
use super::switches::{FRICTION_LOW, STOP_LOW};
use super::workspace::StepWorkspace;
use crate::dynamics::{
    Carried, Loads, Workspace, assert_len, frame_poses_placed, frame_twists_placed, mass_matrix_placed,
    newton_euler, place, place_world,
};
use crate::error::{Error, Result};
use crate::input::limits::SWEEPS;
use crate::model::{Model, project_square};
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
        self.bound(ws, state, choices);
        let report = self.solve(ws, choices);
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
    fn bound(&self, ws: &mut StepWorkspace<T>, state: &State<T>, choices: &mut Choices) {
        let rate = 1.0 / self.dt;
        for (coordinate, &j) in self.model.coupling().independent().iter().enumerate() {
            let group = Group::of(&self.model, coordinate, choices);
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

    /// The new state, and what each joint's law made of the step.
    fn advance(
        &self,
        ws: &mut StepWorkspace<T>,
        state: &mut State<T>,
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) {
        let (coupling, exact) = (self.model.coupling(), self.solver == Solver::Exact);
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let (found, group) = (&ws.solution, &ws.groups[coordinate]);
            let (piece, v) = (found.pieces[coordinate], found.velocity[coordinate]);
            let [lower, upper] = [group.lower, group.upper].map(|stop| stop.map(|(position, _)| position));
            let reached = state.q[j] + v.scale(self.dt);
            state.v[j] = v;
            state.q[j] = match piece {
                Piece::Lower if exact => lower.unwrap_or(reached),
                Piece::Upper if exact => upper.unwrap_or(reached),
                // An exact answer is within its limits but for rounding; its derivative stays that of its piece.
                _ if exact => switch::nudged(reached, lower, upper),
                _ if lower.is_some() || upper.is_some() => {
                    let instance = AFTER_THE_SOLVE + j as u64;
                    switch::clamp(reached, lower, upper, choices, &STOP_LOW, instance)
                }
                _ => reached,
            };
        }
        coupling.positions(&mut state.q);
        coupling.rates(&mut state.v);
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let friction = self.friction_impulse(ws, coordinate, j, choices);
            self.share(ws, state, coordinate, j, friction, out);
            for &follower in coupling.followers(coordinate) {
                self.share(ws, state, coordinate, follower, friction, out);
            }
        }
        state.t += self.dt;
    }

    /// The part of a coordinate's impulse that is friction.
    fn friction_impulse(
        &self,
        ws: &StepWorkspace<T>,
        coordinate: usize,
        j: usize,
        choices: &mut Choices,
    ) -> T {
        let (piece, p) = (ws.solution.pieces[coordinate], ws.solution.impulse[coordinate]);
        let exact = self.solver == Solver::Exact;
        match (ws.bounds[coordinate].friction, piece) {
            (None, _) => T::zero(),
            // On its piece, friction is what the piece says; sweeps need not have got there.
            (Some(most), Piece::Lower | Piece::SlideMinus) if exact => most,
            (Some(most), Piece::Upper | Piece::SlidePlus) if exact => -most,
            (Some(_), _) if exact => p,
            (Some(most), _) => {
                let instance = AFTER_THE_SOLVE + j as u64;
                switch::clamp(p, Some(-most), Some(most), choices, &FRICTION_LOW, instance)
            }
        }
    }

    /// A joint's part in what its coordinate did. Friction is shared as the joints' frictions are; a stop's impulse is
    /// the joint's whose stop it is.
    fn share(
        &self,
        ws: &StepWorkspace<T>,
        state: &mut State<T>,
        coordinate: usize,
        j: usize,
        friction: T,
        out: &mut Outcome<T>,
    ) {
        let (joint, member) = (&self.model.joints()[j], &self.model.coupling().members()[j]);
        let (group, found, rate) = (&ws.groups[coordinate], &ws.solution, 1.0 / self.dt);
        let (margins, piece) = (&found.margins[coordinate], found.pieces[coordinate]);
        let stop = found.impulse[coordinate] - friction;
        let [stop_low, stop_high] = [margins.lower, margins.upper].map(|x| x.map(|x| x.scale(self.dt)));
        let [friction_low, friction_high] =
            [margins.friction_low, margins.friction_high].map(|x| x.map(|x| x.scale(rate)));
        let indicators = Indicators { stop_low, stop_high, friction_low, friction_high };
        if !group.shared {
            out.pieces[j] = piece;
            out.v_free[j] = found.free_velocity[coordinate];
            out.friction_impulse[j] = friction;
            out.stop_impulse[j] = stop;
            out.indicators[j] = indicators;
            return;
        }
        let (size, against) = (magnitude(member), backwards(member));
        out.pieces[j] = if against { piece.mirrored() } else { piece };
        out.v_free[j] = member.multiplier * found.free_velocity[coordinate];
        out.friction_impulse[j] = match joint.friction.zip(group.friction) {
            Some((own, all)) if against => -(own / all * friction),
            Some((own, all)) => own / all * friction,
            None => T::zero(),
        };
        let met = match piece {
            Piece::Lower => group.lower,
            Piece::Upper => group.upper,
            // Sweeps that have not settled leave a rest on a joint that is on no stop.
            _ => group.lower.or(group.upper),
        };
        let own = met.is_none_or(|(_, at)| at == j);
        out.stop_impulse[j] = if own { stop / member.multiplier } else { T::zero() };
        out.indicators[j] = indicators.of_follower(size, against);
        if self.model.coupling().follows(j) {
            // The law of the coupling may round to the far side of the joint's own limits.
            state.q[j] = switch::nudged(state.q[j], joint.lower, joint.upper);
        }
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

/// Instances of choices made after the solve, apart from those of the sweeps' visits.
const AFTER_THE_SOLVE: u64 = 1 << 48;

//! Where the energy of a run went.

use super::dynamic::DynamicArm;
use super::inputs::Inputs;
use super::outcome::Outcome;
use super::state::State;
use super::workspace::StepWorkspace;
use crate::dynamics::{
    Carried, Twist, carried_energy_placed, frame_twists, kinetic_energy, kinetic_energy_placed, ldl,
    potential_energy, potential_energy_placed,
};
use crate::real::Real;
use crate::spatial::{dot, vector};

/// Work done on the arm, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Work {
    /// By joint efforts.
    pub effort: f64,
    /// By wrenches on frames.
    pub wrench: f64,
    /// By damping; never positive but for the start-of-step part of its mean velocity.
    pub damping: f64,
    /// By Coulomb friction.
    pub friction: f64,
    /// By stops.
    pub stop: f64,
    /// By the gyroscopic turn: rounding.
    pub gyroscopic: f64,
}

/// Accounts for the energy of a run, step by step.
///
/// A step does its work along the mean velocity `v̄ = (v⁺ + v′)/2`: with constant carried inertia
///
/// ```text
/// ½ v⁺ᵀ Ms v⁺ − ½ vᵀ Ms v  =  v̄ᵀ ( dt (u − h − D v⁺) + p )
/// ```
///
/// to rounding ([`Ledger::closure`] keeps the worst). What the scheme's first order leaves between that and the change
/// of kinetic and potential energy, `T⁺ + V⁺ − T − V − work`, adds up to [`Ledger::step_defect`], which halves with `dt`.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Kinetic energy at the start, J.
    pub kinetic_start: f64,
    /// Kinetic energy now, J.
    pub kinetic_end: f64,
    /// Potential energy at the start, J.
    pub potential_start: f64,
    /// Potential energy now, J.
    pub potential_end: f64,
    /// Work so far, J.
    pub work: Work,
    /// Energy change that no work explains: the scheme's error, J.
    pub step_defect: f64,
    /// Largest failure of the per-step identity, relative to its largest term.
    pub closure: f64,
}

impl Ledger {
    /// Open at a state, with the rotational inertia the frames carry there.
    pub fn open<T: Real>(
        arm: &DynamicArm<T>,
        ws: &mut StepWorkspace<T>,
        state: &State<T>,
        carried: &[Carried<T>],
    ) -> Self {
        let kinetic = kinetic_energy(arm.model(), &mut ws.dynamics, &state.q, &state.v)
            + carried_energy_placed(arm.model(), &ws.dynamics, carried);
        let kinetic = kinetic.primal();
        let potential = potential_energy(arm.model(), &mut ws.dynamics, &state.q).primal();
        Ledger {
            kinetic_start: kinetic,
            kinetic_end: kinetic,
            potential_start: potential,
            potential_end: potential,
            work: Work::default(),
            step_defect: 0.0,
            closure: 0.0,
        }
    }

    /// Enter a step: right after it, with the workspace it used, the state before and after, its inputs and outcome.
    pub fn enter<T: Real>(
        &mut self,
        arm: &DynamicArm<T>,
        ws: &mut StepWorkspace<T>,
        before: &State<T>,
        after: &State<T>,
        inputs: &Inputs<T>,
        out: &Outcome<T>,
    ) {
        let (model, dt) = (arm.model(), arm.dt());
        // The step left the bodies placed and moving as the state after it says.
        let kinetic_end = kinetic_energy_placed(model, &ws.dynamics, &after.v)
            + carried_energy_placed(model, &ws.dynamics, inputs.carried_end);
        let kinetic_end = kinetic_end.primal();
        let potential_end = potential_energy_placed(model, &ws.dynamics).primal();
        let StepWorkspace { dynamics, start: mass, bias, mean, product, rates, turned, .. } = ws;
        let coupling = model.coupling();
        for (mean, (a, b)) in mean.iter_mut().zip(after.v.iter().zip(&out.v_turned)) {
            *mean = (*a + *b).scale(0.5);
        }
        let mut kinetic = |v: &[T]| {
            coupling.gather(v, rates);
            let rows = mass.chunks_exact(rates.len().max(1));
            turned.iter_mut().zip(rows).for_each(|(p, row)| *p = ldl::dot(row, rates));
            ldl::dot(turned, rates).primal() * 0.5
        };
        let (start, end) = (kinetic(&before.v), kinetic(&after.v));
        let after_turn = if inputs.momenta.is_empty() { start } else { kinetic(&out.v_turned) };
        for (damped, (joint, v)) in product.iter_mut().zip(model.joints().iter().zip(&after.v)) {
            *damped = -(joint.damping * *v).scale(dt);
        }
        let along = |x: &[T]| ldl::dot(x, mean).primal();
        let biased = dt * along(bias);
        let mut step = Work {
            effort: dt * along(inputs.effort),
            wrench: 0.0,
            damping: along(product),
            friction: along(&out.friction_impulse),
            stop: along(&out.stop_impulse),
            gyroscopic: after_turn - start,
        };
        let explained = step.effort - biased + step.damping + step.friction + step.stop;
        let terms = [end, start, step.effort, biased, step.damping, step.friction, step.stop];
        let largest = terms.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let off = (end - start - explained).abs() / largest;
        if off.is_nan() || off > self.closure {
            self.closure = off;
        }

        if !inputs.wrenches.is_empty() {
            let still = Twist { linear: vector([0.0; 3]), angular: vector([0.0; 3]) };
            let mut twists = vec![still; model.frames().len()];
            frame_twists(model, dynamics, &before.q, mean, &mut twists);
            for load in inputs.wrenches {
                let twist = &twists[load.frame];
                step.wrench +=
                    dt * (dot(&load.force, &twist.linear) + dot(&load.moment, &twist.angular)).primal();
            }
        }
        let work = step.effort + step.wrench + step.damping + step.friction + step.stop + step.gyroscopic;
        self.step_defect += (kinetic_end + potential_end) - (self.kinetic_end + self.potential_end) - work;
        self.kinetic_end = kinetic_end;
        self.potential_end = potential_end;
        self.work.effort += step.effort;
        self.work.wrench += step.wrench;
        self.work.damping += step.damping;
        self.work.friction += step.friction;
        self.work.stop += step.stop;
        self.work.gyroscopic += step.gyroscopic;
    }
}

//! The answer at one state, quantity by quantity.

use super::derivatives::{By, Derivatives, Of};
use super::singular::moves_nothing;
use super::state::State;
use super::step::step;
use crate::dynamics::coupled::{
    self, Workspace, bias, forward_dynamics, frame_jacobian, inverse_dynamics, mass_matrix,
};
use crate::dynamics::{
    Loads, Twist, center_of_mass, frame_poses, frame_twists, kinetic_energy, momentum, potential_energy,
};
use crate::error::{Error, Result, nearest};
use crate::model::Model;
use crate::spatial::{Pose, vector};
use serde_json::{Map, Value, json};

/// Every quantity, in the order of the answer.
pub(super) const QUANTITIES: [&str; 16] = [
    "joints",
    "kinds",
    "mimic",
    "frames",
    "jacobians",
    "mass_matrix",
    "bias",
    "gravity",
    "inverse_dynamics",
    "forward_dynamics",
    "derivatives",
    "energy",
    "total_mass",
    "center_of_mass",
    "momentum",
    "step",
];

/// Which quantities are asked for.
pub(super) struct Wanted(Option<Vec<String>>);

impl Wanted {
    /// From `--quantities`; without it everything, and `step` where a state gives `dt`.
    ///
    /// # Errors
    /// [`Error::UnknownName`] for a quantity that is none.
    pub fn new(names: &[String]) -> Result<Self> {
        for name in names {
            if !QUANTITIES.contains(&name.as_str()) {
                return Err(Error::UnknownName {
                    who: "--quantities".into(),
                    what: "quantity",
                    found: name.clone(),
                    nearest: nearest(name, QUANTITIES.into_iter()),
                });
            }
        }
        Ok(Wanted((!names.is_empty()).then(|| names.to_vec())))
    }

    /// Whether it is the list of joints that follow others, and there are some.
    fn mimic(&self, name: &str, state: &State) -> bool {
        name == "mimic" && !state.machine.coupling().is_trivial()
    }

    /// About how many numbers the answer at a state holds; names count as one, and each state for its keys.
    pub fn numbers(&self, state: &State) -> u128 {
        const KEYS: usize = 256;
        let (n, frames) = (coupled::independent(&state.machine), state.machine.frames().len());
        let of = |name: &str| match name {
            "frames" => 13 * frames,
            "jacobians" => 6 * n * frames,
            "mass_matrix" => n * n,
            "derivatives" => 5 * n * n,
            "step" => 12 * n,
            _ => n,
        };
        let wanted = QUANTITIES.into_iter().filter(|name| self.has(name, state));
        (KEYS + wanted.map(of).sum::<usize>()) as u128
    }

    fn has(&self, name: &str, state: &State) -> bool {
        match &self.0 {
            // What rows and columns stand for is in every answer.
            Some(names) => {
                (matches!(name, "joints" | "kinds") || self.mimic(name, state))
                    || names.iter().any(|known| known == name)
            }
            None => match name {
                "step" => state.step.is_some(),
                "mimic" => self.mimic(name, state),
                _ => true,
            },
        }
    }
}

/// A number; `null` when it is not finite.
fn number(x: f64) -> Value {
    Value::from(x)
}

/// A list of numbers; `null` when one of them is not finite.
pub(super) fn row(numbers: &[f64]) -> Value {
    if numbers.iter().all(|x| x.is_finite()) { Value::from(numbers) } else { Value::Null }
}

/// A list of rows; `null` when a number in them is not finite.
fn rows(matrix: &[f64], width: usize) -> Value {
    if !matrix.iter().all(|x| x.is_finite()) {
        return Value::Null;
    }
    matrix.chunks_exact(width.max(1)).map(Value::from).collect()
}

/// The answer at a state.
///
/// What does not exist there is `null`, and `undefined` says why: no forward dynamics where a joint moves no inertia, no
/// centre of mass without mass, nothing that is not finite.
///
/// # Errors
/// Of `step` alone: a state, machine or base it cannot start from.
pub(super) fn answer(state: &State, wanted: &Wanted) -> Result<Value> {
    let mut at = Evaluation::new(state);
    let mut answer = Map::new();
    let mut why = Map::new();
    answer.insert("schema".into(), "articula/eval/1".into());
    for name in QUANTITIES.into_iter().filter(|name| wanted.has(name, state)) {
        answer.insert(name.to_owned(), at.quantity(name, &mut why)?);
    }
    let mut undefined = Vec::new();
    missing("", &answer, &mut undefined);
    if !undefined.is_empty() {
        let reason = |path: &String| {
            let named = why.iter().find(|(quantity, _)| path.starts_with(quantity.as_str()));
            named.map_or_else(|| "not finite in floating point".into(), |(_, reason)| reason.clone())
        };
        let undefined: Vec<Value> =
            undefined.iter().map(|path| json!({ "quantity": path, "reason": reason(path) })).collect();
        answer.insert("undefined".into(), undefined.into());
    }
    Ok(Value::Object(answer))
}

/// Paths of the quantities that are `null`.
fn missing(above: &str, object: &Map<String, Value>, found: &mut Vec<String>) {
    for (key, value) in object {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        match value {
            Value::Null => found.push(path),
            Value::Object(inner) => missing(&path, inner, found),
            _ => {}
        }
    }
}

/// A state with the workspace to evaluate it in.
struct Evaluation<'a> {
    state: &'a State,
    machine: &'a Model<f64>,
    /// Positions and velocities of the base and of every joint.
    whole: (Vec<f64>, Vec<f64>),
    ws: Workspace<f64>,
    /// The velocity coordinate that moves no inertia, once looked for.
    singular: Option<Option<usize>>,
}

impl<'a> Evaluation<'a> {
    fn new(state: &'a State) -> Self {
        let machine = &state.machine;
        let mut ws = Workspace::new(machine);
        let (q, v) = ws.expand(machine, &state.q, &state.v);
        let whole = (q.to_vec(), v.to_vec());
        Evaluation { state, machine, whole, ws, singular: None }
    }

    /// A quantity; reasons for what is `null` in it go to `why`.
    fn quantity(&mut self, name: &str, why: &mut Map<String, Value>) -> Result<Value> {
        let (machine, n) = (self.machine, coupled::independent(self.machine));
        let State { q, v, a, tau, wrenches, .. } = self.state;
        let (ws, (whole_q, whole_v)) = (&mut self.ws, &self.whole);
        let names = |j: &usize| &machine.joints()[*j];
        let joints = machine.coupling().independent().iter().map(names);
        let loads = Loads { wrenches, carried: &[] };
        let mut out = vec![0.0; n];
        Ok(match name {
            "joints" => joints.map(|joint| joint.name.as_str()).collect(),
            "kinds" => joints.map(|joint| json!(joint.kind)).collect(),
            "mimic" => self.mimic(),
            "frames" => self.frames(),
            "jacobians" => self.jacobians(),
            "mass_matrix" => {
                let mut matrix = vec![0.0; n * n];
                mass_matrix(machine, ws, q, &[], &mut matrix);
                rows(&matrix, n)
            }
            "bias" => {
                bias(machine, ws, q, v, &loads, &mut out);
                row(&out)
            }
            "gravity" => {
                bias(machine, ws, q, &vec![0.0; n], &Loads::none(), &mut out);
                row(&out)
            }
            "inverse_dynamics" => {
                inverse_dynamics(machine, ws, q, v, a, &loads, &mut out);
                row(&out)
            }
            "forward_dynamics" => {
                if let Some(reason) = self.singular() {
                    why.insert(name.into(), reason.into());
                    return Ok(Value::Null);
                }
                forward_dynamics(machine, &mut self.ws, q, v, tau, &loads, &mut out);
                row(&out)
            }
            "derivatives" => self.derivatives(why),
            "energy" => json!({
                "kinetic": number(kinetic_energy(machine, &mut ws.dynamics, whole_q, whole_v)),
                "potential": number(potential_energy(machine, &mut ws.dynamics, whole_q)),
            }),
            "total_mass" => number(machine.total_mass()),
            "center_of_mass" => {
                if machine.total_mass() == 0.0 {
                    why.insert(name.into(), NO_MASS.into());
                }
                row(center_of_mass(machine, &mut ws.dynamics, whole_q).as_slice())
            }
            "momentum" => {
                if machine.total_mass() == 0.0 {
                    why.insert("momentum.angular_about_com".into(), NO_MASS.into());
                }
                let p = momentum(machine, &mut ws.dynamics, whole_q, whole_v);
                json!({
                    "linear": row(p.linear.as_slice()),
                    "angular_about_com": row(p.angular_about_com.as_slice()),
                })
            }
            _ => {
                let (answer, joint) = step(self.state, whole_q, whole_v)?;
                if let Some(joint) = joint {
                    let reason = format!("not finite, first at joint `{}`", machine.joints()[joint].name);
                    why.insert(name.into(), reason.into());
                }
                answer
            }
        })
    }

    /// What each joint does that follows another.
    fn mimic(&self) -> Value {
        let (machine, (q, v)) = (self.machine, &self.whole);
        let (positions, velocities) =
            (&q[q.len() - machine.joints().len()..], &v[machine.base_velocities()..]);
        let coupling = machine.coupling();
        let follower = |(j, joint): (usize, &crate::model::Joint<f64>)| {
            let (mimic, member) = (joint.mimic?, &coupling.members()[j]);
            let leader = coupling.independent()[member.coordinate];
            let law = json!({
                "joint": machine.joints()[mimic.leader].name,
                "multiplier": mimic.multiplier,
                "offset": mimic.offset,
                "independent": machine.joints()[leader].name,
                "position": number(positions[j]),
                "velocity": number(velocities[j]),
            });
            Some((joint.name.clone(), law))
        };
        Value::Object(machine.joints().iter().enumerate().filter_map(follower).collect())
    }

    fn frames(&mut self) -> Value {
        let (machine, (q, v)) = (self.machine, &self.whole);
        let count = machine.frames().len();
        let zero = vector([0.0; 3]);
        let mut poses = vec![Pose::identity(); count];
        let mut twists = vec![Twist { linear: zero, angular: zero }; count];
        frame_poses(machine, &mut self.ws.dynamics, q, &mut poses);
        frame_twists(machine, &mut self.ws.dynamics, q, v, &mut twists);
        let frames = machine.frames().iter().zip(poses.iter().zip(&twists));
        let frame = |(pose, twist): (&Pose<f64>, &Twist<f64>)| {
            json!({
                "pose": row(&pose.to_row()),
                "linear_velocity": row(twist.linear.as_slice()),
                "angular_velocity": row(twist.angular.as_slice()),
            })
        };
        Value::Object(frames.map(|(link, found)| (link.name.clone(), frame(found))).collect())
    }

    fn jacobians(&mut self) -> Value {
        let (machine, n) = (self.machine, coupled::independent(self.machine));
        let mut matrix = vec![0.0; 6 * n];
        let mut jacobians = Map::new();
        for (k, frame) in machine.frames().iter().enumerate() {
            frame_jacobian(machine, &mut self.ws, &self.state.q, k, &mut matrix);
            let six = if n == 0 { json!([[], [], [], [], [], []]) } else { rows(&matrix, n) };
            jacobians.insert(frame.name.clone(), six);
        }
        Value::Object(jacobians)
    }

    fn derivatives(&mut self, why: &mut Map<String, Value>) -> Value {
        let singular = self.singular();
        let n = coupled::independent(self.machine);
        let mut by_duals = Derivatives::new(self.state);
        let mut all = Map::new();
        for (name, of, by) in [
            ("id_q", Of::InverseDynamics, By::Position),
            ("id_v", Of::InverseDynamics, By::Velocity),
            ("fd_q", Of::ForwardDynamics, By::Position),
            ("fd_v", Of::ForwardDynamics, By::Velocity),
            ("fd_tau", Of::ForwardDynamics, By::Effort),
        ] {
            let matrix = match &singular {
                Some(reason) if of == Of::ForwardDynamics => {
                    why.insert(format!("derivatives.{name}"), reason.clone().into());
                    Value::Null
                }
                _ => rows(&by_duals.of(of, by), n),
            };
            all.insert(name.into(), matrix);
        }
        Value::Object(all)
    }

    /// Why there is no forward dynamics, if there is none.
    fn singular(&mut self) -> Option<String> {
        let (machine, q, ws) = (self.machine, &self.state.q, &mut self.ws);
        let at = *self.singular.get_or_insert_with(|| moves_nothing(machine, ws, q));
        let who = match at?.checked_sub(machine.base_velocities()) {
            Some(at) => {
                let joint = machine.coupling().independent()[at];
                format!("joint `{}`", machine.joints()[joint].name)
            }
            None => "the free base".into(),
        };
        Some(format!(
            "the mass matrix is singular: {who} moves no inertia; a mass, an inertia or an armature gives it some"
        ))
    }
}

const NO_MASS: &str = "no link has mass";

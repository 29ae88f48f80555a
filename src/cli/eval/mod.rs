//! `articula eval`: dynamics at given states.

mod answer;
mod derivatives;
mod json;
mod place;
mod singular;
mod state;
mod step;

use super::acknowledge::Acknowledge;
use super::{Failure, output};
use crate::description::Description;
use crate::error::{Error, Result};
use crate::input;
use crate::input::limits::{ANSWER_NUMBERS, STATE_BYTES};
use crate::model::Model;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Dynamics of a robot at given states: kinematics, mass matrix, efforts, accelerations, derivatives, one step.
///
/// Prints JSON: one object for one state, a list for a list of them, in order. Vectors and matrices are in model order:
/// a free base first (linear, then angular; world axes), then the joints as `joints` lists them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Eval {
    /// The robot file (URDF).
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,
    /// The state or the list of states (JSON); `-`: from stdin.
    #[arg(long, value_name = "STATE.json|-")]
    state: PathBuf,
    /// Only these quantities, by their keys in the answer; `joints` and `kinds` are always there.
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    quantities: Vec<String>,
    /// JSON is what this command prints; with or without this flag.
    #[arg(long)]
    json: bool,
    /// Couple mimic joints to the joints they follow; `joints` are then those that follow none.
    #[arg(long, value_name = "coupled", value_parser = ["coupled"])]
    mimic: Option<String>,
    #[command(flatten)]
    acknowledge: Acknowledge,
}

const EXAMPLE: &str = r#"Examples:
  articula eval articula-demo/arm.urdf --state articula-demo/state.json --quantities bias,step
  echo '{"q": {"elbow": 0.3}, "tau": {"elbow": 2.0}}' |
    articula eval articula-demo/arm.urdf --state - --quantities forward_dynamics

A state (every key may be left out; joints not named are 0):
  q, v, a, tau  positions, velocities, accelerations, efforts:
                {"joint": number}, or a list in model order, joints only
  gravity       [0, 0, -9.80665]
  base          frees the root: {position, orientation (w x y z),
                linear_velocity, angular_velocity, linear_acceleration,
                angular_acceleration}; {}: at the origin, at rest.
                A floating root joint in the file frees it too.
  base_tau      the effort of the base: force, then moment (6)
  wrenches      [{"frame": "link", "force": [..], "torque": [..]}], world
                axes, at the frame's origin, on the robot
  armature      {"joint": number}, reflected rotor inertia
  dt            asks for the quantity step, and with it these are read:
                solver ("exact" or {"sweeps": 16}),
                momenta [{frame, value}], carried [{frame, start, end}],
                friction, damping, lower, upper (in place of the file's)

With --mimic coupled, q, v, a and tau are those of the joints that follow
none, as `joints` lists them; friction, damping, lower, upper and armature
are given for any joint; `mimic` has what the others do, and `step` lists
all joints.

Quantities: frames, jacobians, mass_matrix, bias, gravity,
inverse_dynamics, forward_dynamics, derivatives, energy, total_mass,
center_of_mass, momentum, step. One that does not exist at a state is
null, and `undefined` says why. Limits, friction and damping of the file
act in step only. Exit 2: the file or a state is wrong."#;

impl Eval {
    pub(super) fn run(self) -> std::result::Result<ExitCode, Failure> {
        let wanted = answer::Wanted::new(&self.quantities)?;
        let description = Description::read(&self.robot)?;
        let description = if self.mimic.is_some() { description.coupled() } else { description };
        let robot = Model::from_description(&self.acknowledge.answer(&description)?)?;
        let (name, bytes) = read(&self.state)?;
        let answer = answered(&robot, &name, &bytes, &wanted)?;
        output::print(&output::json(&answer))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What `articula eval` prints: the answer at one state, or the list of answers to a list of them.
///
/// `bytes` is the JSON document, `file` its name in messages; without `quantities`, all of them.
///
/// # Errors
/// [`Error::UnknownName`] for a quantity or a name in a state that nothing has; [`Error::Value`], [`Error::Length`] and
/// [`Error::File`] for what is wrong with the document.
pub fn answers(robot: &Model<f64>, file: &str, bytes: &[u8], quantities: &[String]) -> Result<Value> {
    answered(robot, file, bytes, &answer::Wanted::new(quantities)?)
}

fn answered(robot: &Model<f64>, file: &str, bytes: &[u8], wanted: &answer::Wanted) -> Result<Value> {
    let text = input::text(bytes).map_err(|fault| Error::file(file, fault))?;
    let document = json::Json::parse(file, text)?;
    let mut numbers = 0;
    // One state after the other: each holds a machine of its own.
    let mut one = |(k, json)| {
        let state = state::State::read(file, k, json, robot)?;
        numbers += wanted.numbers(&state);
        if numbers > ANSWER_NUMBERS {
            let expected = format!(
                "at most {ANSWER_NUMBERS}: give fewer states at a time, or name the quantities with --quantities"
            );
            let found = format!("an answer that holds {numbers} numbers up to here");
            return Err(Error::value(&state.name, found, &expected));
        }
        answer::answer(&state, wanted)
    };
    match &document {
        json::Json::List(states) => states.iter().enumerate().map(one).collect(),
        state => one((0, state)),
    }
}

/// The name and the bytes of the states.
fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    const GIVE: &str = "fewer states at a time";
    if path.as_os_str() != "-" {
        return Ok((path.display().to_string(), input::read(path, STATE_BYTES, GIVE)?));
    }
    let path = || "stdin".to_owned();
    let read = input::bounded(std::io::stdin().lock(), STATE_BYTES, GIVE);
    let bytes = read.map_err(|source| Error::Io { path: path(), source })?;
    Ok((path(), bytes.map_err(|fault| Error::file(&path(), fault))?))
}

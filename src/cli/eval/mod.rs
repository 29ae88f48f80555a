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
use crate::model::Model;
use serde_json::Value;
use std::io::Read;
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
  articula eval demo/arm.urdf --state demo/state.json --quantities bias,step
  echo '{"q": {"elbow": 0.3}, "tau": {"elbow": 2.0}}' |
    articula eval demo/arm.urdf --state - --quantities forward_dynamics

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
        let (name, text) = read(&self.state)?;
        let (states, listed) = state::read(&name, &json::Json::parse(&name, &text)?, &robot)?;
        let answers =
            states.iter().map(|state| answer::answer(state, &wanted)).collect::<Result<Vec<_>>>()?;
        let answer = match <[Value; 1]>::try_from(answers) {
            Ok([one]) if !listed => one,
            Ok([one]) => Value::Array(vec![one]),
            Err(list) => Value::Array(list),
        };
        output::print(&output::json(&answer))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The name and the text of the states.
fn read(path: &Path) -> Result<(String, String)> {
    let name = if path.as_os_str() == "-" { "stdin".into() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let done = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    done.map_err(|source| Error::Io { path: name.clone(), source })?;
    let text = String::from_utf8(bytes)
        .map_err(|error| Error::value(&name, format!("bytes that are not UTF-8 ({error})"), "UTF-8 text"))?;
    // Editors of some systems start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok((name, text))
}

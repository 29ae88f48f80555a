//! One step of an arm from its URDF, and its Jacobian by all efforts: stuck and stopped joints have no derivative there.
//!
//! `cargo run --release --example urdf_step`

use articula::step::{DynamicArm, Inputs, Outcome, Solver, StepWorkspace};
use articula::{Real, Tangents, description::Description, model::Model, switch::Choices};

const JOINTS: usize = 7;
type Dual = Tangents<JOINTS>;

fn main() -> articula::Result<()> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/robots/arm7.urdf");
    // Elements the model would drop are refused until each is answered with a reason; this file has none.
    let robot = Description::read(file)?.acknowledge(&[])?;
    let model = Model::from_description(&robot)?;
    let arm = DynamicArm::new(model.map(Dual::from_f64), 1e-3, Solver::Exact)?;
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));

    // At rest, the last joint but one of the arm driven, the slide pushed against its upper stop.
    let q = [0.0, 0.4, 1.8, 0.0, 0.3, 0.0, 0.12].map(Dual::from_f64);
    let v = [0.0; JOINTS].map(Dual::from_f64);
    let mut state = arm.state(&q, &v)?;
    let efforts = [0.5, 0.0, 0.0, 0.0, 0.0, 0.4, 20.0];
    let efforts: [Dual; JOINTS] = std::array::from_fn(|j| Dual::variable(efforts[j], j));
    let report = arm.step(&mut ws, &mut state, &Inputs::effort(&efforts), &mut Choices::free(), &mut out);

    println!(
        "{:?}, residual {:.1e} N m s or N s, {} rounds",
        report.settlement, report.residual, report.rounds
    );
    println!("{:14} {:7} {:>11}  dv+/du of every effort, 1e-3", "joint", "piece", "v+");
    for (j, joint) in arm.model().joints().iter().enumerate() {
        let row: Vec<String> = state.v[j].tangents.iter().map(|x| format!("{:9.3}", x * 1e3)).collect();
        let (name, piece, v) = (&joint.name, out.pieces[j].name(), state.v[j].value);
        println!("{name:14} {piece:7} {v:+11.3e} {}", row.join(""));
    }
    println!("how far each joint is from another piece (zero: a kink):");
    for (joint, indicators) in arm.model().joints().iter().zip(&out.indicators) {
        let word =
            |name: &str, x: Option<Dual>| x.map_or(String::new(), |x| format!("  {name} {:.4}", x.value));
        let stops = word("stop.low", indicators.stop_low) + &word("stop.high", indicators.stop_high);
        let friction =
            word("friction.low", indicators.friction_low) + &word("friction.high", indicators.friction_high);
        println!("  {:14}{stops}{friction}", joint.name);
    }
    Ok(())
}

//! A swinging pendulum: where it is after 1.7 s, by its friction, damping and mass, against differences.
//!
//! `cargo run --release --example pendulum_by_friction`

use articula::model::{Builder, Inertial, JointKind, JointSpec, Model};
use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When};
use articula::step::{DynamicArm, Solver};

const STEPS: usize = 1700;

fn pendulum() -> articula::Result<Model<f64>> {
    let mut builder = Builder::new("pendulum");
    builder.link("world", None);
    builder.link("rod", Some(Inertial::new(1.0, [0.0, 0.0, -0.5], [0.02, 0.0, 0.0, 0.02, 0.0, 0.001])));
    builder.joint(JointSpec {
        name: "hinge".into(),
        kind: Some(JointKind::Revolute),
        parent: "world".into(),
        child: "rod".into(),
        axis: [0.0, 1.0, 0.0],
        friction: 0.1, // N m
        damping: 0.02, // N m s/rad
        ..JointSpec::default()
    });
    builder.build()
}

/// `q²` at the end, whose derivative is `2 q ∂q`.
fn ends(model: &Model<f64>) -> articula::Result<Objective> {
    let quantity = Quantity::JointPosition { joint: 0, goal: 0.0 };
    Objective::new(model, vec![Term { quantity, when: When::End, weight: 1.0 }])
}

fn square(model: Model<f64>) -> articula::Result<f64> {
    let rung = Rung::Dynamic(DynamicArm::new(model, 1e-3, Solver::Exact)?);
    let objective = ends(rung.model())?;
    let start = rung.state(&[1.2], &[0.0])?;
    let mut adjoint = Adjoint::new(&rung, &objective, By::default(), STEPS)?;
    let values = [0.0; STEPS];
    let value = adjoint.value(&Course { start: &start, drives: &[], values: &values })?;
    Ok(*value.read().0)
}

fn main() -> articula::Result<()> {
    let names = ["hinge.friction", "hinge.damping", "rod.mass"];
    let rung = Rung::Dynamic(DynamicArm::new(pendulum()?, 1e-3, Solver::Exact)?);
    let objective = ends(rung.model())?;
    let by = By { parameters: names.map(str::to_owned).to_vec(), ..By::default() };
    let mut adjoint = Adjoint::new(&rung, &objective, by, STEPS)?;
    let start = rung.state(&[1.2], &[0.0])?;
    let values = [0.0; STEPS];
    let gradient = adjoint.gradient(&Course { start: &start, drives: &[], values: &values })?;
    let (found, status) = gradient.read();

    println!("q² after {} s: {:.6} rad²", STEPS as f64 * rung.dt(), found.objective);
    println!("{:16} {:>14} {:>14}", "by", "gradient", "difference");
    for (name, slope) in names.iter().zip(&found.by_parameter) {
        let h = 1e-6;
        let side = |amount: f64| square(pendulum()?.vary(&[(name, amount)])?);
        let difference = (side(h)? - side(-h)?) / (2.0 * h);
        println!("{name:16} {slope:+14.8} {difference:+14.8}");
        assert!((slope - difference).abs() < 1e-6 * slope.abs());
    }
    println!("{status}");
    Ok(())
}

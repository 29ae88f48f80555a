//! A cart pushed towards its stop by more and more: the derivative of where it ends by the pushes, and what it is worth.
//!
//! `cargo run --release --example gradient_through_a_stop`

use articula::model::{Builder, Inertial, JointKind, JointSpec};
use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When};
use articula::step::{DynamicArm, Solver};

const STEPS: usize = 100;

fn main() -> articula::Result<()> {
    let mut builder = Builder::new("cart");
    builder.link("rail", None);
    builder.link("cart", Some(Inertial::new(2.0, [0.0; 3], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1])));
    builder.joint(JointSpec {
        name: "slide".into(),
        kind: Some(JointKind::Prismatic),
        parent: "rail".into(),
        child: "cart".into(),
        lower: Some(-0.1), // m
        upper: Some(0.1),
        friction: 1.0, // N
        ..JointSpec::default()
    });
    let rung = Rung::Dynamic(DynamicArm::new(builder.build()?, 1e-3, Solver::Exact)?);
    let ends = Term {
        quantity: Quantity::JointPosition { joint: 0, goal: 0.2 }, // beyond the stop
        when: When::End,
        weight: 1.0,
    };
    let objective = Objective::new(rung.model(), vec![ends])?;
    let mut adjoint = Adjoint::new(&rung, &objective, By::every_input(rung.model()), STEPS)?;

    let start = rung.state(&[0.05], &[0.0])?;
    println!("e is how far the cart ends from a goal behind its stop; F acts for 0.1 s\n");
    for push in [0.5, 5.0, 20.8018, 40.0] {
        let values = [push; STEPS];
        let gradient = adjoint.gradient(&Course { start: &start, drives: &[], values: &values })?;
        let (found, status) = gradient.read();
        let (first, last) = (found.by_value[0], found.by_value[STEPS - 1]);
        println!(
            "F = {push:6.3} N   e² = {:.6} m²   by the first push {first:+.2e}, by the last {last:+.2e} m²/N",
            found.objective
        );
        println!("   {status}\n");
    }
    Ok(())
}

//! An arm of seven joints with stops and friction, 200 steps: where its tool ends, by all 1400 efforts, in one sweep back.
//!
//! `cargo run --release --example arm_by_all_inputs`

use articula::description::Description;
use articula::model::Model;
use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When};
use articula::step::{DynamicArm, Solver};
use std::time::Instant;

const STEPS: usize = 200;

fn main() -> articula::Result<()> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/robots/arm7.urdf");
    let robot = Description::read(file)?.acknowledge(&[])?;
    let rung = Rung::Dynamic(DynamicArm::new(Model::from_description(&robot)?, 1e-3, Solver::Exact)?);
    let model = rung.model();
    let n = model.joints().len();
    let frame = model.frames().len() - 1;
    let reach = Quantity::FramePosition { frame, goal: [0.3, 0.2, 0.5] };
    let terms = vec![
        Term { quantity: reach, when: When::End, weight: 1.0 },
        Term { quantity: Quantity::EffortSquared, when: When::All, weight: 1e-4 },
    ];
    let objective = Objective::new(model, terms)?;

    let start = rung.state(&[0.0, 0.4, 1.8, 0.0, 0.3, 0.0, 0.1], &[0.0; 7])?;
    let mut values: Vec<f64> =
        (0..STEPS * n).map(|i| 8.0 * (0.1 * (i / n) as f64 + (i % n) as f64).sin()).collect();
    let mut adjoint = Adjoint::new(&rung, &objective, By::every_input(model), STEPS)?;
    let begin = Instant::now();
    let gradient = adjoint.gradient(&Course { start: &start, drives: &[], values: &values })?;
    let took = begin.elapsed();
    let (found, status) = gradient.read();
    println!("objective {:.6}, {} derivatives in {took:.1?}", found.objective, found.by_value.len());
    println!("{status}");

    // One of them against a difference.
    let largest = |a: &usize, b: &usize| found.by_value[*a].abs().total_cmp(&found.by_value[*b].abs());
    let i = (0..values.len()).max_by(largest).unwrap_or(0);
    let (h, here) = (1e-4, values[i]);
    let mut side = |amount: f64| -> articula::Result<f64> {
        values[i] = here + amount;
        let value = adjoint.value(&Course { start: &start, drives: &[], values: &values })?;
        Ok(*value.read().0)
    };
    let difference = (side(h)? - side(-h)?) / (2.0 * h);
    let (name, slope) = (&model.joints()[i % n].name, found.by_value[i]);
    println!(
        "largest: by the effort of {name} in step {}: {slope:+.8e}, by differences {difference:+.8e}",
        i / n
    );
    assert!((slope - difference).abs() < 1e-5 * slope.abs());
    Ok(())
}

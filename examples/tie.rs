//! Two carts exactly at the edge of sticking: every column of the derivative is of one and the same piece, and the status says so.
//!
//! `cargo run --release --example tie`

use articula::model::{Builder, Inertial, JointKind, JointSpec};
use articula::rollout::{By, Course, Rung, linearize};
use articula::step::{DynamicArm, Solver};

fn main() -> articula::Result<()> {
    let mut builder = Builder::new("carts");
    builder.link("rail", None);
    for (name, parent, child) in [("first", "rail", "cart"), ("second", "cart", "rider")] {
        builder.link(child, Some(Inertial::new(1.0, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])));
        builder.joint(JointSpec {
            name: name.into(),
            kind: Some(JointKind::Prismatic),
            parent: parent.into(),
            child: child.into(),
            friction: 0.5, // N
            ..JointSpec::default()
        });
    }
    let rung = Rung::Dynamic(DynamicArm::new(builder.build()?, 1.0 / 256.0, Solver::Exact)?);
    let start = rung.state(&[0.0; 2], &[0.0; 2])?;
    // Each is pushed by exactly what its friction can hold.
    let course = Course { start: &start, drives: &[], values: &[0.5, 0.5] };
    for inputs in [vec![0, 1], vec![1, 0], vec![1]] {
        let by = By { inputs: inputs.clone(), ..By::default() };
        let gradient = linearize(&rung, &course, &by)?;
        let (found, status) = gradient.read();
        println!("dv/du, kg⁻¹ · 1/256 s, seeds in the order {inputs:?}:");
        for i in 0..2 {
            let row: Vec<_> =
                (0..inputs.len()).map(|c| format!("{:7.3}", 256.0 * found.b[[0, 2 + i, c]])).collect();
            println!("   {}", row.join(""));
        }
        println!("   {status}\n");
    }
    Ok(())
}

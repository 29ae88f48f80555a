//! A pendulum with dry friction, built in code: steps, and the derivative of where it stops by its friction.
//!
//! `cargo run --release --example pendulum`

use articula::model::{Builder, Inertial, JointKind, JointSpec};
use articula::step::{DynamicArm, Inputs, Outcome, Solver, StepWorkspace};
use articula::{Real, Tangents, switch::Choices};

type Dual = Tangents<1>;

fn main() -> articula::Result<()> {
    let mut builder = Builder::new("pendulum");
    builder.link("world", None);
    builder.link("rod", Some(Inertial::new(1.0, [0.0, 0.0, -0.5], [0.02, 0.0, 0.0, 0.02, 0.0, 0.001])));
    builder.joint(JointSpec {
        name: "hinge".into(),
        kind: Some(JointKind::Revolute),
        parent: "world".into(),
        child: "rod".into(),
        axis: [0.0, 1.0, 0.0],
        friction: 0.5, // N m
        ..JointSpec::default()
    });
    // One seed, on the friction: every number after it carries its derivative by that.
    let seed = ("hinge.friction", Dual::variable(0.0, 0));
    let arm = DynamicArm::new(builder.build()?.map(Dual::from_f64).vary(&[seed])?, 1e-3, Solver::Exact)?;
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let mut state = arm.state(&[Dual::from_f64(1.2)], &[Dual::from_f64(0.0)])?;
    let none = [Dual::from_f64(0.0)];
    for k in 1..=4000 {
        let report = arm.step(&mut ws, &mut state, &Inputs::effort(&none), &mut Choices::free(), &mut out);
        assert!(report.settled(), "{report:?}");
        if k % 500 == 0 {
            let (q, v, piece) = (state.q[0], state.v[0].value, out.pieces[0].name());
            println!(
                "t {:.1} s  q {:+.4} rad  v {v:+.4} rad/s  {piece:6}  dq/dfriction {:+.4} rad/(N m)",
                state.t, q.value, q.tangents[0]
            );
        }
    }
    Ok(())
}

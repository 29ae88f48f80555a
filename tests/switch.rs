//! Switches: which piece is taken, how ties are decided, and what a recorded script forces.

mod kit;

use articula::dynamics::{Loads, Workspace, bias};
use articula::model::{Builder, Inertial, JointKind, JointSpec, Model};
use articula::step::impulse::exact::PIECE;
use articula::step::{Inputs, Piece, Solver};
use articula::switch::{Choice, Choices, Place, Script, Switch, abs, clamp, exceeds, max, sign, soft};
use articula::{Real, Tangents};
use kit::{Kind, Random, Rig, constants, machine, positions, single};
use nalgebra::Vector3;
use num_dual::{Dual2_64, Dual64, HyperDual64};

const A: Switch = Switch { name: "test.a", indicator: "x", unit: "1", orders: &[("y", 0)], route: "none" };

/// A place of owner 0.
fn place(step: u64, switch: &Switch, instance: u64) -> Place {
    Place { step, owner: 0, switch: switch.name, instance }
}

fn number<const N: usize>(value: f64, tangents: [f64; N]) -> Tangents<N> {
    Tangents { value, tangents }
}

/// What every function makes of `x` against its bounds, in one order.
fn all<T: Real>(x: T, y: T, choices: &mut Choices) -> [T; 6] {
    let above = exceeds(x, y, choices, &A, 3);
    [
        clamp(x, Some(-y), Some(y), choices, &A, 0),
        soft(x, y, choices, &A, 1),
        max(x, y, choices, &A, 2),
        if above { T::one() } else { T::zero() },
        abs(x - y, choices, &A, 4),
        sign(x - y, choices, &A, 5),
    ]
}

/// Away from ties: the textbook formulas, and the piece's own derivative by each argument, to the last bit; for random
/// numbers on every piece.
#[test]
fn pieces_have_their_values_and_derivatives() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let (x, y) = (2.0 * random.unit(), random.within(0.1, 1.0));
        let seeded = all(number(x, [1.0, 0.0]), number(y, [0.0, 1.0]), &mut Choices::free());
        let (inside, over, s) = (x.abs() < y, x > y, x.signum());
        let expected = [
            (x.clamp(-y, y), if inside { [1.0, 0.0] } else { [0.0, s] }),
            (s * (x.abs() - y).max(0.0), if inside { [0.0, 0.0] } else { [1.0, -s] }),
            (x.max(y), if over { [1.0, 0.0] } else { [0.0, 1.0] }),
            (f64::from(over), [0.0, 0.0]),
            ((x - y).abs(), if over { [1.0, -1.0] } else { [-1.0, 1.0] }),
            ((x - y).signum(), [0.0, 0.0]),
        ];
        for (k, (found, (value, tangents))) in seeded.iter().zip(expected).enumerate() {
            assert_eq!((found.value, found.tangents), (value, tangents), "function {k} of {x}, {y}");
        }
        assert_eq!(all(x, y, &mut Choices::free()), expected.map(|e| e.0));
    }
    // One-sided and absent bounds.
    let choices = &mut Choices::free();
    assert_eq!(clamp(-3.0, None, Some(1.0), choices, &A, 0), -3.0);
    assert_eq!(clamp(3.0, Some(-1.0), None, choices, &A, 0), 3.0);
    assert_eq!(clamp(3.0, None, None, choices, &A, 0), 3.0);
}

/// At a tie, the side of the first nonzero tangent, in seed order; every tangent of the result is of that side. The tie
/// is at x = y = 1, so that the sides' derivatives are told apart by the tangents alone.
#[test]
fn the_first_nonzero_tangent_decides_a_tie() {
    for (tangents, above) in [
        ([1.0, -7.0], true),
        ([-1.0, 7.0], false),
        ([0.0, 2.0], true),
        ([0.0, -2.0], false),
        ([1e-300, -1e300], true),
    ] {
        let (x, one) = (number(1.0, tangents), number(1.0, [0.0, 0.0]));
        let none = [0.0, 0.0];
        let minus = tangents.map(|t: f64| -t);
        let [clamped, softened, larger, over, size, side] = all(x, one, &mut Choices::free());
        assert_eq!(clamped.tangents, if above { none } else { tangents });
        assert_eq!(softened.tangents, if above { tangents } else { none });
        assert_eq!(larger.tangents, if above { tangents } else { none });
        assert_eq!(over.value, f64::from(above));
        assert_eq!(size.tangents, if above { tangents } else { minus });
        assert_eq!(side.value, if above { 1.0 } else { -1.0 });
        // The lower bound, by the same tangents mirrored.
        let low = clamp(number(-1.0, minus), Some(-one), None, &mut Choices::free(), &A, 0);
        assert_eq!(low.tangents, if above { none } else { minus });
    }
    // Second-order parts decide where the first are zero, and only there.
    for (v1, v2, above) in [(0.0, 1.0, true), (0.0, -1.0, false), (1.0, -9.0, true), (-1.0, 9.0, false)] {
        let x = Dual2_64::new(1.0, v1, v2);
        assert_eq!(exceeds(x, Dual2_64::from(1.0), &mut Choices::free(), &A, 0), above, "{v1} {v2}");
    }
    for (parts, above) in [
        ([0.0, 0.0, 1.0], true),
        ([0.0, 0.0, -1.0], false),
        ([0.0, 1.0, -9.0], true),
        ([-1.0, 9.0, 9.0], false),
    ] {
        let x = HyperDual64::new(1.0, parts[0], parts[1], parts[2]);
        assert_eq!(exceeds(x, HyperDual64::from(1.0), &mut Choices::free(), &A, 0), above, "{parts:?}");
    }
}

/// A tie without tangents takes the documented side and is written down as open; a later pass whose tangents decide it
/// closes it, for every pass after.
#[test]
fn open_ties_are_recorded_and_decided_by_a_later_pass() {
    let mut record = Choices::record();
    record.at_step(7);
    let tied = all(number(1.0, [0.0]), number(1.0, [0.0]), &mut record);
    // Inside; held at zero; the first; not above; zero; zero.
    assert_eq!(tied.map(|x| x.value), [1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let places: Vec<_> = (0..6).map(|instance| place(7, &A, instance)).collect();
    assert_eq!(record.script().open_ties(), places);

    let mut second = Choices::replay(record.into_script());
    second.at_step(7);
    let _ = all(number(1.0, [0.0]), number(1.0, [0.0]), &mut second);
    assert_eq!(second.script().open_ties(), places, "no tangent, no decision");
    let [clamped, softened, ..] = all(number(1.0, [2.0]), number(1.0, [0.0]), &mut second);
    assert_eq!((clamped.tangents, softened.tangents), ([0.0], [2.0]));
    assert_eq!(second.script().open_ties(), vec![]);
    assert_eq!(second.script().get(&place(7, &A, 1)), Some(Choice { piece: 1, open: false }));

    let mut third = Choices::replay(second.into_script());
    third.at_step(7);
    let [clamped, softened, ..] = all(number(1.0, [-2.0]), number(1.0, [0.0]), &mut third);
    assert_eq!(
        (clamped.tangents, softened.tangents),
        ([0.0], [-2.0]),
        "the decided side, whatever tangents say"
    );
    assert_eq!(third.missing(), 0);
}

/// A replay takes the recorded pieces at other inputs, whatever the values say there; a place the script does not hold is
/// decided by the values and counted; free mode keeps nothing.
#[test]
fn a_replay_forces_the_recorded_pieces() {
    let mut record = Choices::record();
    let _ = all(0.5, 1.0, &mut record);
    assert_eq!(record.script().len(), 6);
    let script = record.into_script();
    let mut replay = Choices::replay(script.clone());
    // Inside, below: clamp is the identity, soft is zero, max is y, |x − y| is y − x.
    assert_eq!(all(3.0, 1.0, &mut replay), [3.0, 0.0, 1.0, 0.0, -2.0, -1.0]);
    assert_eq!((replay.missing(), replay.script()), (0, &script));
    replay.at_step(1);
    assert_eq!(all(3.0, 1.0, &mut replay), [1.0, 2.0, 3.0, 1.0, 2.0, 1.0]);
    assert_eq!((replay.missing(), replay.script()), (6, &script));

    let mut free = Choices::free();
    let _ = all(1.0, 1.0, &mut free);
    assert!(free.is_free() && free.script().is_empty());
    let before = free.script().clone();
    assert_eq!(before, Script::default());
}

/// Machines that share a script keep their sides apart by owner, and one machine's by step.
#[test]
fn sides_belong_to_their_owner_and_step() {
    let mut record = Choices::record();
    for (owner, step, x) in [(0, 0, 0.5), (1, 0, 3.0), (0, 1, -3.0)] {
        record.of_owner(owner);
        record.at_step(step);
        let _ = all(x, 1.0, &mut record);
    }
    assert_eq!(record.script().len(), 18);
    let mut replay = Choices::replay(record.into_script());
    for (owner, step, expected) in [(1, 0, 1.0), (0, 1, -1.0), (0, 0, 0.25)] {
        replay.of_owner(owner);
        replay.at_step(step);
        assert_eq!(all(0.25, 1.0, &mut replay)[0], expected, "owner {owner}, step {step}");
    }
    assert_eq!(replay.missing(), 0);
}

/// Two slides side by side, each pushed with exactly its friction: |y| = dt μ in powers of two.
fn two_at_the_edge() -> Model<f64> {
    let mut builder = Builder::new("two");
    builder.link("base", None);
    for name in ["left", "right"] {
        builder.link(name, Some(Inertial::new(2.0, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])));
        builder.joint(JointSpec {
            name: format!("to_{name}"),
            kind: Some(JointKind::Prismatic),
            parent: "base".into(),
            child: name.into(),
            friction: 0.5,
            ..JointSpec::default()
        });
    }
    builder.build().unwrap().with_gravity(Vector3::zeros())
}

/// A tie that one pass leaves open is decided by the tangents of a later one, beside joints that are already decided: the
/// columns then are those of one pass with all seeds.
#[test]
fn a_step_replayed_pass_by_pass_has_columns_of_one_piece() {
    let model = two_at_the_edge();
    let dt = 1.0 / 128.0;
    // Tangents of the two efforts, by three seeds.
    for (left, right) in [
        ([1.0, 0.0, -3.0], [0.0, 1.0, 5.0]),
        ([-1.0, 0.0, 3.0], [0.0, 1.0, 5.0]),
        ([0.0, 0.0, 2.0], [0.0, -1.0, 5.0]),
        ([0.0, 0.0, -2.0], [1.0, -1.0, 5.0]),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    ] {
        let whole = model.map(Tangents::<3>::from_f64);
        let zero = [Tangents::from_f64(0.0); 2];
        let mut rig = Rig::new(whole, dt, Solver::Exact, &zero, &zero);
        rig.push(&[number(0.5, left), number(0.5, right)]);
        let expected: Vec<[f64; 3]> = rig.state.v.iter().map(|v| v.tangents).collect();

        let mut choices = Choices::record();
        for seed in 0..3 {
            let single = model.map(Tangents::<1>::from_f64);
            let zero = [Tangents::from_f64(0.0); 2];
            let mut rig = Rig::new(single, dt, Solver::Exact, &zero, &zero);
            let effort = [number(0.5, [left[seed]]), number(0.5, [right[seed]])];
            let report = rig.step(&Inputs::effort(&effort), &mut choices);
            assert!(report.settled());
            for (j, v) in rig.state.v.iter().enumerate() {
                assert_eq!(v.tangents, [expected[j][seed]], "{left:?} {right:?}: joint {j} by seed {seed}");
            }
            choices = Choices::replay(choices.into_script());
        }
        let open = left.iter().all(|t| *t == 0.0);
        assert_eq!(choices.script().open_ties().len(), usize::from(open), "{left:?} {right:?}");
    }
}

/// A slide's step as one writes it where numbers compare: `if` looks at values, and tangents follow.
fn compared<T>(mass: f64, v: T, effort: T, friction: T) -> T
where
    T: PartialOrd + Copy + From<f64>,
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Neg<Output = T>,
    T: std::ops::Mul<f64, Output = T> + std::ops::Div<f64, Output = T>,
{
    let (momentum, most) = (v * mass + effort * DT, friction * DT);
    let left = if momentum > most {
        momentum - most
    } else if momentum < -most {
        momentum + most
    } else {
        T::from(0.0)
    };
    left / mass
}

const DT: f64 = 1.0 / 128.0;

/// Claim: duals that are compared by value, as num-dual's `PartialOrd` does, differentiate the wrong piece at a tie, ours the right one.
/// A slide of 2 kg at rest: without friction to speak of (0 N) and without a push its `v⁺` is `v + dt u / m`, without any kink: the
/// differences of the compared step itself are `1` and `dt/m` on both sides, its duals zero. Pushed with exactly its
/// friction, where it slides for more push, its duals are those of sticking; the step's are of sliding in every column.
#[test]
fn duals_that_are_compared_by_value_miss_the_piece() {
    let mass = 2.0;
    let spec = JointSpec { friction: 0.5, ..JointSpec::default() };
    let slide = single(JointKind::Prismatic, mass, spec).with_gravity(Vector3::zeros());
    let smooth = slide.with_joints(|_, joint| joint.friction = Some(0.0)).unwrap();
    for (model, friction) in [(&smooth, 0.0), (&slide, 0.5)] {
        // By velocity, effort and friction.
        let x = [0.0, friction, friction];
        let plain: [f64; 3] = std::array::from_fn(|k| {
            let [v, u, mu] = std::array::from_fn(|i| Dual64::new(x[i], f64::from(i == k)));
            compared(mass, v, u, mu).eps
        });
        let h = 2f64.powi(-20);
        let slope = |k: usize, h: f64| {
            let mut moved = x;
            moved[k] += h;
            (compared(mass, moved[0], moved[1], moved[2]) - compared(mass, x[0], x[1], x[2])) / h
        };
        let seeded: [Tangents<3>; 3] = std::array::from_fn(|i| Tangents::variable(x[i], i));
        let amount = Tangents { value: 0.0, tangents: [0.0, 0.0, 1.0] };
        let lifted = model.map(Tangents::<3>::from_f64).vary(&[("joint.friction", amount)]).unwrap();
        let mut rig = Rig::new(lifted, DT, Solver::Exact, &constants(&[0.0]), &[seeded[0]]);
        rig.push(&[seeded[1]]);
        let ours = rig.state.v[0].tangents;
        assert_eq!(plain, [0.0; 3], "friction {friction}");
        assert_eq!(ours, [1.0, DT / mass, -DT / mass], "friction {friction}");
        for (k, h) in [(0, h), (1, h)] {
            // Up is the way of the first seed; where there is no kink, down is the same.
            assert_eq!(slope(k, h), ours[k], "friction {friction} by {k}");
            assert_eq!(
                slope(k, -h),
                if friction == 0.0 { ours[k] } else { 0.0 },
                "friction {friction} by {k}"
            );
        }
    }
}

/// Claim: without a script, passes of one seed land on different pieces at a tie, and their columns are no derivative together: a
/// slide pushed with exactly its friction slides for more effort and sticks for more friction. With the first pass's script both are
/// of sliding, as one pass with both seeds says.
#[test]
fn passes_without_a_script_land_on_different_pieces() {
    let spec = JointSpec { friction: 0.5, ..JointSpec::default() };
    let model = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector3::zeros());
    let pass = |[by_effort, by_friction]: [f64; 2], choices: &mut Choices| {
        let friction = number(0.0, [by_friction]);
        let lifted = model.map(Tangents::<1>::from_f64).vary(&[("joint.friction", friction)]).unwrap();
        let mut rig = Rig::new(lifted, DT, Solver::Exact, &constants(&[0.0]), &constants(&[0.0]));
        let report = rig.step(&Inputs::effort(&[number(0.5, [by_effort])]), choices);
        assert!(report.settled());
        (rig.out.pieces[0], rig.state.v[0].tangents[0])
    };
    let alone = [[1.0, 0.0], [0.0, 1.0]].map(|seed| pass(seed, &mut Choices::free()));
    assert_eq!(alone, [(Piece::SlidePlus, DT / 2.0), (Piece::Stick, 0.0)]);
    let mut first = Choices::record();
    let effort = pass([1.0, 0.0], &mut first);
    let mut second = Choices::replay(first.into_script());
    let friction = pass([0.0, 1.0], &mut second);
    assert_eq!([effort, friction], [(Piece::SlidePlus, DT / 2.0), (Piece::SlidePlus, -DT / 2.0)]);
    assert_eq!(second.missing(), 0);
    // And the other way round: friction first, and the effort's column is that of sticking.
    let mut first = Choices::record();
    let friction = pass([0.0, 1.0], &mut first);
    let effort = pass([1.0, 0.0], &mut Choices::replay(first.into_script()));
    assert_eq!([friction, effort], [(Piece::Stick, 0.0); 2]);
}

/// A random arm whose every joint stands exactly at its friction's edge, differentiated by effort in passes of one with
/// one script: each column is what the recorded pieces give, so that replaying any pass again changes nothing, and the
/// first pass's piece holds in all: columns of joints that stick there are zero throughout.
#[test]
fn tied_joints_of_an_arm_keep_the_pieces_of_the_first_pass() {
    let mut moved = 0;
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let n = 4;
        let model = machine(&mut random, Kind { stops: false, ..Kind::arm(n) });
        let q = positions(&mut random, &model);
        let mut weight = vec![0.0; n];
        bias(&model, &mut Workspace::new(&model), &q, &vec![0.0; n], &Loads::none(), &mut weight);
        let model = model.with_joints(|j, joint| joint.friction = Some(weight[j].abs().max(1e-6))).unwrap();
        let column = |k: usize, choices: &mut Choices| {
            let lifted = model.map(Tangents::<1>::from_f64);
            let mut rig = Rig::new(lifted, 1e-3, Solver::Exact, &constants(&q), &constants(&vec![0.0; n]));
            let effort: Vec<_> = (0..n).map(|j| number(0.0, [f64::from(j == k)])).collect();
            let report = rig.step(&Inputs::effort(&effort), choices);
            assert!(report.settled());
            let rates: Vec<f64> = rig.state.v.iter().map(|v| v.tangents[0]).collect();
            (rates, rig.out.pieces.clone())
        };
        let mut choices = Choices::record();
        let (_, pieces) = column(0, &mut choices);
        let mut rates = Vec::new();
        for k in 0..n {
            choices = Choices::replay(choices.into_script());
            let (column, again) = column(k, &mut choices);
            assert_eq!(choices.missing(), 0);
            for (j, rate) in column.iter().enumerate() {
                let recorded = choices.script().get(&place(0, &PIECE, j as u64)).unwrap();
                assert_eq!(recorded.piece, again[j].code());
                assert!(
                    again[j] == pieces[j] || again[j] != Piece::Stick,
                    "seed {seed}: a decided joint moved"
                );
                assert!(again[j] != Piece::Stick || *rate == 0.0);
                moved += usize::from(*rate != 0.0);
            }
            rates.push(column);
        }
        // One piece for all columns: the moving joints' block of A⁻¹ is symmetric.
        for j in 0..n {
            for k in 0..n {
                let (a, b) = (rates[j][k], rates[k][j]);
                assert!(
                    a == 0.0 || b == 0.0 || (a - b).abs() < 1e-12 * a.abs().max(1e-6),
                    "seed {seed}: {a} {b}"
                );
            }
        }
    }
    assert!(moved > 0);
}

/// A run of a slide that slides, sticks, is pushed off and meets its stop is linear on its pieces: replayed from its
/// script, differences over 0.3 are its derivative to rounding, where free differences are not.
#[test]
fn differences_through_a_script_are_the_derivative_of_its_pieces() {
    let spec = JointSpec {
        friction: 0.8,
        damping: 0.2,
        lower: Some(-0.5),
        upper: Some(0.3),
        ..JointSpec::default()
    };
    let model = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector3::zeros());
    fn run<T: Real>(
        model: &Model<f64>,
        v: T,
        gain: T,
        solver: Solver,
        choices: &mut Choices,
    ) -> (T, T, Vec<Piece>) {
        let mut rig = Rig::new(model.map(T::from_f64), 1e-2, solver, &[T::zero()], &[v]);
        let mut pieces = Vec::new();
        for step in 0..300u32 {
            choices.at_step(step.into());
            let report = rig.step(&Inputs::effort(&[gain.scale((0.03 * f64::from(step)).sin())]), choices);
            assert!(report.settled() || !choices.is_free(), "{report:?}");
            pieces.extend(&rig.out.pieces);
        }
        (rig.state.q[0], rig.state.v[0], pieces)
    }
    for solver in [Solver::Exact, Solver::Sweeps(2)] {
        let (v, gain) = (0.9, -2.0);
        let mut record = Choices::record();
        let (_, _, pieces) = run(&model, v, gain, solver, &mut record);
        for piece in [Piece::SlidePlus, Piece::Stick, Piece::SlideMinus] {
            assert!(pieces.contains(&piece), "{piece:?} never seen");
        }
        let script = record.into_script();
        let mut replay = Choices::replay(script.clone());
        let (q, speed, _) = run(&model, number(v, [1.0, 0.0]), number(gain, [0.0, 1.0]), solver, &mut replay);
        assert_eq!(replay.missing(), 0);
        let h = 0.3;
        let mut apart = 0.0_f64;
        for (k, (dv, dg)) in [(h, 0.0), (0.0, h)].into_iter().enumerate() {
            let at = |s: f64, choices: &mut Choices| {
                let (q, v, _) = run(&model, v + s * dv, gain + s * dg, solver, choices);
                (q, v)
            };
            let mut replays = [Choices::replay(script.clone()), Choices::replay(script.clone())];
            let (above, below) = (at(1.0, &mut replays[0]), at(-1.0, &mut replays[1]));
            assert!(replays.iter().all(|c| c.missing() == 0));
            let slope = ((above.0 - below.0) / (2.0 * h), (above.1 - below.1) / (2.0 * h));
            assert!((slope.0 - q.tangents[k]).abs() < 1e-12, "{solver:?} {k}: {} {}", slope.0, q.tangents[k]);
            assert!((slope.1 - speed.tangents[k]).abs() < 1e-12, "{solver:?} {k}");
            let (above, below) = (at(1.0, &mut Choices::free()), at(-1.0, &mut Choices::free()));
            let free = (above.0 - below.0) / (2.0 * h);
            apart = apart.max((free - q.tangents[k]).abs());
        }
        assert!(apart > 1e-3, "other pieces, another slope: {apart}");
    }
}

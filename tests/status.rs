//! The status of a gradient: every status by a run that has it, every fact kept, and what no input changes.

mod kit;

use articula::dynamics::Workspace;
use articula::model::{Builder, Inertial, JointKind, JointSpec, MimicSpec, Model};
use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When};
use articula::step::switches::{COUPLED_LOW, FRICTION_HIGH, FRICTION_LOW, STICK, STOP_LOW};
use articula::step::{DynamicArm, Inputs, KinematicArm, Outcome, Piece, Solver, StepJacobian, StepReport};
use articula::switch::{Choices, Declared, Gradient, GradientStatus, Observed, Observer, Switch};
use articula::{Real, Tangents};
use kit::{Kind, Random, Rig, constants, machine, positions, single};

const DT: f64 = 1e-2;

/// A slide of 2 kg with no friction, which starts at 0.
fn slide(spec: JointSpec) -> Model<f64> {
    single(JointKind::Prismatic, 2.0, spec)
}

/// A slide with friction of 3 N and stops at ±1 m.
fn rough() -> Model<f64> {
    slide(JointSpec { friction: 3.0, lower: Some(-1.0), upper: Some(1.0), ..JointSpec::default() })
}

/// Steps of an arm under constant efforts, observed.
struct Watched<T> {
    rig: Rig<T>,
    observer: Observer,
    /// Steps since the start.
    done: usize,
}

impl<T: Real> Watched<T> {
    fn new(model: Model<T>, solver: Solver, q: &[T], v: &[T]) -> Self {
        let rig = Rig::new(model, DT, solver, q, v);
        Watched { observer: rig.arm.observer(), rig, done: 0 }
    }

    fn step(&mut self, effort: &[T]) -> Observed {
        let report = self.rig.step(&Inputs::effort(effort), &mut Choices::free());
        self.done += 1;
        self.observer.observe(&self.rig.out, &report, self.done as f64 * DT)
    }

    fn status(&self) -> GradientStatus {
        self.observer.status()
    }
}

/// A model in plain numbers, with a still start.
fn at(model: Model<f64>, solver: Solver, q: f64, v: f64) -> Watched<f64> {
    Watched::new(model, solver, &[q], &[v])
}

/// Worse is greater, and names in files are those of the tables.
#[test]
fn worse_is_greater() {
    let all =
        [Observed::Exact, Observed::ExactBranch, Observed::OneSided, Observed::Jump, Observed::Unsettled];
    assert!(all.is_sorted_by(|a, b| a < b));
    for status in all {
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
    assert!(Declared::Exact < Declared::PiecewiseKink);
    assert_eq!(serde_json::to_value(Declared::PiecewiseKink).unwrap(), Declared::PiecewiseKink.name());
}

/// Far from every piece: `exact`, with the nearest switch and where it was. A machine without a law that switches declares so.
#[test]
fn exact_away_from_every_switch() {
    let endless = slide(JointSpec { friction: 3.0, ..JointSpec::default() });
    let mut run = at(endless, Solver::Exact, 0.0, 0.5);
    assert_eq!(run.step(&[5.0]), Observed::Exact);
    let status = run.status();
    assert_eq!((status.observed, status.declared), (Observed::Exact, Declared::PiecewiseKink));
    // v_free = 0.5 + 0.01 · 5/2 m/s: it would take −105 N to stop 2 kg in 0.01 s, and friction has 3.
    let group = status.group("joint_velocities").unwrap();
    assert!(group.near.is_empty());
    let margin = group.margin.as_ref().expect("the nearest, though it is far");
    assert_eq!((margin.switch, margin.joint.as_str(), margin.unit), (FRICTION_LOW.name, "joint", "N"));
    assert!((margin.value - (3.0 - 105.0)).abs() < 1e-9 && margin.margin == 3e-3 && margin.time == DT);
    let free = at(slide(JointSpec::default()), Solver::Exact, 0.0, 0.0);
    assert_eq!(free.status().declared, Declared::Exact);
    assert!(free.status().to_string().contains("no law has a switch"), "{}", free.status());
}

/// Near a stop, and near the edge of sticking, within the margins: `exact_branch` in every group, in that step alone.
#[test]
fn exact_branch_near_another_piece() {
    // It arrives 0.4 of the margin short of the stop: dt² · 1 m/s² is 1e-4 m.
    let mut near_stop = at(rough(), Solver::Exact, -1.0 + 4e-5 + 1e-3, -0.1 - 0.015);
    assert_eq!(near_stop.step(&[0.0]), Observed::ExactBranch);
    let status = near_stop.status();
    assert_eq!(status.observed, Observed::ExactBranch);
    for group in &status.groups {
        assert_eq!(group.status, Observed::ExactBranch, "{}", group.name);
        assert_eq!(group.near.len(), 1);
        let near = &group.near[0];
        assert_eq!((near.switch, near.unit), (STOP_LOW.name, "m"));
        assert!((near.value - 4e-5).abs() < 1e-12, "{near:?}");
    }
    // A push that is 2e-3 N short of the friction, of which 1e-3 is the margin.
    let mut near_sliding = at(rough(), Solver::Exact, 0.0, 0.0);
    assert_eq!(near_sliding.step(&[3.0 - 2e-3]), Observed::ExactBranch);
    assert_eq!(near_sliding.step(&[2.0]), Observed::Exact);
    let status = near_sliding.status();
    assert_eq!(
        (status.observed, status.stuck_fraction),
        (Observed::ExactBranch, vec![("joint".into(), 1.0)])
    );
    let near = &status.groups[0].near[0];
    assert!((near.value.abs() - 2e-3).abs() < 1e-12 && near.time == DT, "{near:?}");
    assert!([FRICTION_LOW.name, FRICTION_HIGH.name].contains(&near.switch));
}

/// An effort equal to the friction: the indicator is exactly zero, and no tangent says which side is meant. With one that
/// does, it is `one_sided` all the same, and decided.
#[test]
fn one_sided_on_the_edge() {
    let mut run = at(rough(), Solver::Exact, 0.0, 0.0);
    assert_eq!(run.step(&[3.0]), Observed::OneSided);
    let status = run.status();
    assert_eq!((status.observed, status.undecided.len()), (Observed::OneSided, 1));
    let (tie, near) = (&status.undecided[0], &status.groups[0].near[0]);
    assert_eq!((tie.switch, tie.time, tie.times), (near.switch, DT, 1));
    assert_eq!((near.value, near.zero_time), (0.0, Some(DT)));

    type Dual = Tangents<1>;
    let dual = |tangent: f64| Dual { value: 3.0, tangents: [tangent] };
    for (tangent, undecided, piece) in
        [(1.0, 0, Piece::SlidePlus), (-1.0, 0, Piece::Stick), (0.0, 1, Piece::Stick)]
    {
        let model = rough().map(Dual::from_f64);
        let mut run = Watched::new(model, Solver::Exact, &constants(&[0.0]), &constants(&[0.0]));
        assert_eq!(run.step(&[dual(tangent)]), Observed::OneSided);
        assert_eq!(run.status().undecided.len(), undecided, "tangent {tangent}");
        assert_eq!(run.rig.out.pieces[0], piece, "tangent {tangent}");
    }
}

/// A joint that friction holds where its stop has put it has nothing left to choose: pushing it back and letting go stays
/// exact, though it stands exactly on its stop; a joint that is put there at the start is on the edge.
#[test]
fn resting_where_the_stop_put_it_is_no_edge() {
    let mut run = at(rough(), Solver::Exact, -0.9, 0.0);
    for _ in 0..40 {
        run.step(&[-20.0]);
    }
    assert_eq!((run.rig.out.pieces[0], run.rig.state.q[0]), (Piece::Lower, -1.0));
    run.observer.clear();
    assert_eq!(run.step(&[-20.0]), Observed::Exact);
    assert_eq!(run.step(&[0.0]), Observed::Exact);
    assert_eq!((run.rig.out.pieces[0], run.rig.out.indicators[0].stop_low), (Piece::Stick, Some(0.0)));
    assert_eq!(run.status().observed, Observed::Exact);
    let mut start = at(rough(), Solver::Exact, -1.0, 0.0);
    assert_eq!(start.step(&[0.0]), Observed::OneSided);
    assert_eq!(start.status().nearest().unwrap().switch, STOP_LOW.name);
}

/// A law of one's own, whose output jumps.
const TRIGGER: Switch = Switch {
    name: "trigger.fires",
    indicator: "distance to the trigger",
    unit: "m",
    orders: &[("joint_velocities", -1), ("joint_positions", 0), ("shots", -1), ("noise", 1)],
    route: "none: it fires or it does not",
};

fn trigger(values: &[f64]) -> GradientStatus {
    let mut run = at(slide(JointSpec::default()), Solver::Exact, 0.0, 0.0);
    let fires = run.observer.watch(&TRIGGER, "gun", 1e-3).unwrap();
    assert_eq!(run.observer.find(TRIGGER.name, "gun"), Some(fires));
    for value in values {
        let end = (run.done + 1) as f64 * DT;
        run.observer.note(fires, *value, end);
        run.step(&[1.0]);
    }
    run.status()
}

/// A switch of order −1 within its margin, and one that changes side between steps far from it: `jump`, in the groups it is
/// declared for, and a kink or nothing in others. Exactly zero in between is no way round.
#[test]
fn jump_near_and_across() {
    let far = trigger(&[0.5, 0.2, 0.4]);
    assert_eq!((far.observed, far.declared), (Observed::Exact, Declared::PiecewiseKink));
    let status = |s: &GradientStatus, group: &str| s.group(group).expect("a group of the law").status;

    let near = trigger(&[0.5, 4e-4, 0.4]);
    assert_eq!(near.observed, Observed::Jump);
    assert_eq!(status(&near, "joint_velocities"), Observed::Jump);
    assert_eq!(status(&near, "shots"), Observed::Jump);
    assert_eq!(status(&near, "joint_positions"), Observed::ExactBranch);
    assert_eq!(status(&near, "frame_poses"), Observed::Exact);
    assert_eq!(status(&near, "noise"), Observed::Exact);
    assert_eq!(near.group("shots").unwrap().near[0].crossed_time, None);

    let across = trigger(&[0.5, 0.2, -0.3, -0.4]);
    assert_eq!(across.observed, Observed::Jump);
    assert_eq!(status(&across, "joint_positions"), Observed::Exact);
    let crossed = &across.group("joint_velocities").unwrap().near[0];
    assert_eq!((crossed.crossed_time, crossed.value, crossed.time), (Some(3.0 * DT), 0.2, 2.0 * DT));
    assert!(across.to_string().contains("changed side at 0.03 s"), "{across}");
    assert_eq!(trigger(&[0.5, 0.0, -0.3]).observed, Observed::Jump);
    assert_eq!(trigger(&[f64::NAN, 0.5]).observed, Observed::Exact);
}

/// Few sweeps of a strongly coupled arm leave residual: `unsettled`, with every other fact still there. `arm.stick` is among
/// the switches watched then, and only then.
#[test]
fn unsettled_after_few_sweeps() {
    let mut random = Random::new(5);
    let model = machine(&mut random, Kind { stops: false, ..Kind::arm(5) });
    let (q, v) = (positions(&mut random, &model), random.vector(5));
    let mut run = Watched::new(model.clone(), Solver::Sweeps(2), &q, &v);
    let mut worst: f64 = 0.0;
    let mut all = Vec::new();
    for k in 0..30 {
        let effort: Vec<f64> = (0..5).map(|j| 3.0 * (0.3 * f64::from(k) + f64::from(j)).sin()).collect();
        let report = run.rig.step(&Inputs::effort(&effort), &mut Choices::free());
        run.done += 1;
        let end = run.done as f64 * DT;
        let step = run.observer.observe_step(&run.rig.out, &report, end);
        assert_eq!((step.settled, step.residual), (report.settled(), report.residual));
        assert_eq!(step.observed == Observed::Unsettled, !report.settled());
        worst = worst.max(report.residual);
        all.push((end, report.settled()));
    }
    let status = run.status();
    let first = all.iter().find(|(_, settled)| !settled).expect("two sweeps do not settle this arm");
    assert_eq!((status.observed, status.settled), (Observed::Unsettled, false));
    assert_eq!((status.residual, status.unsettled_time), (worst, Some(first.0)));
    assert_eq!(status.unsettled_steps as usize, all.iter().filter(|(_, settled)| !settled).count());
    assert!(status.groups.iter().all(|group| group.status == Observed::Unsettled));
    let stick = run.observer.find(STICK.name, "joint_1");
    assert!(stick.is_some() && run.rig.out.stick.iter().all(Option::is_some));
    let exact = Watched::new(model, Solver::Exact, &q, &v);
    assert_eq!(exact.observer.find(STICK.name, "joint_1"), None);
}

/// `arm.stick` comes within its margin where a joint is held exactly as much as its friction can: the sweeps' start has two
/// pieces there.
#[test]
fn the_start_of_the_sweeps_has_an_edge() {
    let mut run = at(rough(), Solver::Sweeps(3), 0.0, 0.0);
    run.observer.set_margin(FRICTION_LOW.name, None, 1e-12).unwrap();
    run.observer.set_margin(FRICTION_HIGH.name, None, 1e-12).unwrap();
    assert_eq!(run.step(&[3.0 * (1.0 - 1e-7)]), Observed::ExactBranch);
    let near = run.status().near().first().map(|near| (near.switch, near.unit, near.value));
    let (switch, unit, value) = near.expect("a switch");
    assert!((value - 2e-7).abs() < 1e-12, "{value}");
    assert_eq!((switch, unit), (STICK.name, "1"));
}

/// The worst wins, and every other fact stays: a run with a near switch, a tie, a jump and an unsettled step tells them all,
/// in numbers, in JSON and in words.
#[test]
fn all_facts_are_kept() {
    let mut run = at(rough(), Solver::Exact, 0.0, 0.0);
    let fires = run.observer.watch(&TRIGGER, "gun", 1e-3).unwrap();
    run.observer.note(fires, 1.0, DT);
    assert_eq!(run.step(&[3.0 - 1e-3]), Observed::ExactBranch);
    run.observer.note(fires, 1.0, 2.0 * DT);
    assert_eq!(run.step(&[3.0]), Observed::OneSided);
    run.observer.note(fires, -1.0, 3.0 * DT);
    assert_eq!(run.step(&[0.0]), Observed::Jump);
    let mut report: StepReport = run.rig.step(&Inputs::effort(&[0.0]), &mut Choices::free());
    report.settlement = articula::step::Settlement::Residual(0.25);
    report.residual = 0.25;
    assert_eq!(run.observer.observe(&run.rig.out, &report, 4.0 * DT), Observed::Unsettled);

    let status = run.status();
    assert_eq!(status.observed, Observed::Unsettled);
    let velocities = status.group("joint_velocities").unwrap();
    let switches: Vec<&str> = velocities.near.iter().map(|near| near.switch).collect();
    assert_eq!(switches, [FRICTION_LOW.name, TRIGGER.name]);
    assert_eq!(velocities.near[0].zero_time, Some(2.0 * DT));
    assert_eq!(velocities.near[1].crossed_time, Some(3.0 * DT));
    assert_eq!((status.undecided.len(), status.unsettled_time), (1, Some(4.0 * DT)));
    assert_eq!((status.steps, status.unsettled_steps, status.residual), (4, 1, 0.25));

    let json = serde_json::to_value(&status).unwrap();
    assert_eq!((&json["declared"], &json["observed"]), (&"piecewise_kink".into(), &"unsettled".into()));
    let group = &json["groups"]["joint_positions"];
    assert_eq!(group["status"], "unsettled");
    assert_eq!((&group["margin"]["value"], &group["margin"]["unit"]), (&0.0.into(), &"N".into()));
    assert_eq!(group["near"][0]["switch"], FRICTION_LOW.name);
    assert_eq!(group["near"][0]["time"], 2.0 * DT);
    assert_eq!(json["stuck_fraction"]["joint"], 1.0);
    assert_eq!(json["stop_fraction"]["joint"], 0.0);
    assert_eq!((&json["residual"], &json["settled"]), (&0.25.into(), &false.into()));
    let words = status.to_string();
    assert!(words.starts_with("unsettled: 1 of 4 steps did not settle, the first ends at 0.04 s"), "{words}");

    let gradient = Gradient::new([1.0], status.clone());
    assert_eq!(gradient.read(), (&[1.0], &status));
    assert_eq!(gradient.into_parts(), ([1.0], status));
    run.observer.clear();
    let empty = run.status();
    assert_eq!((empty.observed, empty.steps, empty.undecided.len()), (Observed::Exact, 0, 0));
    assert!(empty.vanishing.is_empty(), "nothing is known before a step");
}

/// Whoever settles a tie can say that no tangent decided it: at least `one_sided`, with the switch and the time.
#[test]
fn undecided_ties_are_reported() {
    let mut run = at(rough(), Solver::Exact, 0.0, 0.5);
    let low = run.observer.find(FRICTION_LOW.name, "joint").unwrap();
    run.observer.undecided(low, DT);
    assert_eq!(run.step(&[5.0]), Observed::OneSided);
    let status = run.status();
    assert_eq!(status.observed, Observed::OneSided);
    assert_eq!((status.undecided[0].switch, status.undecided[0].times), (FRICTION_LOW.name, 1));
}

/// Two joints without friction of their own on one arm: a turning one and a slide, each with stops.
fn two(friction: [f64; 2]) -> Model<f64> {
    let mut builder = Builder::new("two");
    let body = || Some(Inertial::new(1.0, [0.3, 0.0, 0.0], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1]));
    builder.link("base", None).link("first", body()).link("second", body());
    for (k, (name, parent, child, kind)) in
        [("turn", "base", "first", JointKind::Revolute), ("slide", "first", "second", JointKind::Prismatic)]
            .into_iter()
            .enumerate()
    {
        builder.joint(JointSpec {
            name: name.into(),
            kind: Some(kind),
            parent: parent.into(),
            child: child.into(),
            axis: if k == 0 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] },
            lower: Some(-1.0),
            upper: Some(1.0),
            friction: friction[k],
            ..JointSpec::default()
        });
    }
    builder.build().expect("a sound machine")
}

const ALL: [&str; 4] = ["frame_poses", "frame_angular_velocities", "joint_positions", "joint_velocities"];

fn vanishing(status: &GradientStatus) -> Vec<&str> {
    status.vanishing.iter().map(|v| v.group).collect()
}

/// An arm that friction holds in every joint, and one held on its stops: no effort changes anything. As soon as one joint
/// moves, everything may depend on it; when that one sticks again, its place still does, and nothing that turns.
#[test]
fn vanishing_while_nothing_moves() {
    let mut run = Watched::new(two([5.0, 5.0]), Solver::Exact, &[0.0; 2], &[0.0; 2]);
    run.step(&[1.0, -2.0]);
    let status = run.status();
    assert_eq!((vanishing(&status), status.observed), (ALL.to_vec(), Observed::Exact));
    assert!(status.vanishing.iter().all(|v| v.throughout && v.inputs == "efforts"));
    assert!(ALL.iter().all(|group| status.vanishes(group, "efforts") && !status.vanishes(group, "commands")));
    assert!(status.to_string().contains("at the end no efforts change frame_poses"), "{status}");

    run.step(&[1.0, 9.0]);
    assert_eq!(run.rig.out.pieces, [Piece::Stick, Piece::SlidePlus]);
    assert_eq!(vanishing(&run.status()), ["frame_angular_velocities"], "the slide turns nothing");
    for _ in 0..20 {
        run.step(&[1.0, -1.0]);
    }
    assert_eq!(run.rig.out.pieces, [Piece::Stick; 2]);
    let status = run.status();
    assert_eq!(vanishing(&status), ["frame_angular_velocities", "joint_velocities"]);
    let throughout: Vec<bool> = status.vanishing.iter().map(|v| v.throughout).collect();
    assert_eq!(throughout, [true, false]);
    run.step(&[9.0, 0.0]);
    assert_eq!(vanishing(&run.status()), [""; 0]);

    let mut held = Watched::new(two([0.0; 2]), Solver::Exact, &[-1.0, 1.0], &[0.0; 2]);
    held.step(&[-9.0, 9.0]);
    let status = held.status();
    assert_eq!(held.rig.out.pieces, [Piece::Lower, Piece::Upper]);
    assert_eq!((vanishing(&status), status.observed), (ALL.to_vec(), Observed::Exact));
    assert_eq!(status.stop_fraction, [("turn".into(), 1.0), ("slide".into(), 1.0)]);
    held.step(&[9.0, 9.0]);
    assert_eq!(vanishing(&held.status()), [""; 0]);
}

/// Turning about an axis that an input has turned: a joint may be put on its stop by what is no input, and still turn what it
/// carries about an axis that depends on one.
#[test]
fn an_axis_may_depend_where_no_velocity_does() {
    let mut builder = Builder::new("wrist");
    let body = || Some(Inertial::new(1.0, [0.0; 3], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1]));
    builder.link("base", None).link("first", body()).link("second", body());
    for (name, parent, child, axis) in
        [("yaw", "base", "first", [0.0, 0.0, 1.0]), ("roll", "first", "second", [1.0, 0.0, 0.0])]
    {
        builder.joint(JointSpec {
            name: name.into(),
            kind: Some(JointKind::Revolute),
            parent: parent.into(),
            child: child.into(),
            axis,
            lower: Some(-1.0),
            upper: Some(1.0),
            friction: 5.0,
            ..JointSpec::default()
        });
    }
    let model = builder.build().expect("a sound machine");
    let mut run = Watched::new(model, Solver::Exact, &[0.0, -1.0 + 1e-3], &[0.0; 2]);
    run.step(&[9.0, 0.0]);
    for _ in 0..20 {
        run.step(&[0.0; 2]);
    }
    assert_eq!(vanishing(&run.status()), ["frame_angular_velocities", "joint_velocities"]);
    run.step(&[0.0, -900.0]);
    assert_eq!(run.rig.out.pieces, [Piece::Stick, Piece::Lower]);
    assert!(run.rig.out.frame_twists[2].angular.x < -0.05, "{:?}", run.rig.out.frame_twists[2]);
    assert_eq!(vanishing(&run.status()), ["joint_velocities"]);
}

/// What vanishing claims is what duals find: on random arms through sticks and stops, whatever is flagged has no tangent of
/// any effort, and what is not flagged mostly has one.
#[test]
fn vanishing_is_what_duals_find() {
    type Dual = Tangents<4>;
    let (mut flagged, mut open) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let coupled = if seed % 4 == 3 { 0.5 } else { 0.0 };
        let plain = machine(&mut random, Kind { friction: 30.0, coupled, ..Kind::arm(4) });
        let mut q: Vec<f64> =
            plain.joints().iter().map(|j| j.upper.unwrap_or(1.0) * 0.9 * random.unit()).collect();
        q.iter_mut().for_each(|x| *x *= if coupled > 0.0 { 0.05 } else { 1.0 });
        plain.coupling().positions(&mut q);
        let mut run =
            Watched::new(plain.map(Dual::from_f64), Solver::Exact, &constants(&q), &constants(&[0.0; 4]));
        let only = seed % 3 == 0;
        if only {
            run.observer.set_inputs(&["joint_2"]).unwrap();
        }
        for k in 0..60 {
            let size = if (k / 20) % 2 == 0 { 12.0 } else { 40.0 };
            let effort: Vec<Dual> = (0..4)
                .map(|j| {
                    let u = size * random.unit();
                    if only && j != 1 { Dual::from_f64(u) } else { Dual::variable(u, j) }
                })
                .collect();
            run.step(&effort);
            let status = run.status();
            let out = &run.rig.out;
            let some = |group: &str| {
                let any = |x: &Dual| x.tangents.iter().any(|t| *t != 0.0);
                match group {
                    "joint_positions" => run.rig.state.q.iter().any(any),
                    "joint_velocities" => run.rig.state.v.iter().any(any),
                    "frame_angular_velocities" => out.frame_twists.iter().any(|t| t.angular.iter().any(any)),
                    _ => out.frame_poses.iter().any(|p| p.position.iter().chain(p.rotation.iter()).any(any)),
                }
            };
            for group in ALL {
                let (flag, found) = (status.vanishes(group, "efforts"), some(group));
                assert!(!(flag && found), "seed {seed} step {k}: {group} does depend");
                flagged += usize::from(flag);
                open += usize::from(!flag && !found);
            }
        }
    }
    println!("{flagged} flagged, {open} without a tangent and not flagged");
    assert!(flagged > 300 && open < flagged / 10, "{flagged} {open}");
}

/// Decision inputs may be a subset: where only a held joint has one, nothing depends, though another moves; names that are
/// no joints are refused.
#[test]
fn vanishing_by_a_subset_of_inputs() {
    let mut run = Watched::new(two([5.0, 5.0]), Solver::Exact, &[0.0; 2], &[0.0; 2]);
    run.observer.set_inputs(&["turn"]).unwrap();
    run.step(&[1.0, 9.0]);
    assert_eq!(vanishing(&run.status()), ALL, "only the slide moves");
    run.observer.clear();
    run.step(&[1.0, 9.0]);
    assert_eq!(vanishing(&run.status()), ALL, "clear keeps the inputs");
    run.observer.set_inputs(&["slide"]).unwrap();
    run.step(&[1.0, 9.0]);
    assert_eq!(vanishing(&run.status()), ["frame_angular_velocities"]);
    let error = run.observer.set_inputs(&["trun"]).unwrap_err().to_string();
    assert!(error.contains("`trun`") && error.contains("turn, slide"), "{error}");
}

/// Margins are settable, by switch and joint; what is no margin, and what is not watched, is refused.
#[test]
fn margins_can_be_set() {
    let observed = |margin: Option<f64>| {
        let mut run = at(rough(), Solver::Exact, -0.999, 0.0);
        if let Some(margin) = margin {
            run.observer.set_margin(STOP_LOW.name, Some("joint"), margin).unwrap();
        }
        run.step(&[0.0]);
        run.status()
    };
    assert_eq!(observed(None).observed, Observed::Exact);
    let wide = observed(Some(2e-3));
    assert_eq!((wide.observed, wide.groups[0].near[0].margin), (Observed::ExactBranch, 2e-3));
    let mut observer = at(rough(), Solver::Exact, 0.0, 0.0).observer;
    for (switch, joint, margin, words) in [
        (STOP_LOW.name, None, 0.0, "a positive number"),
        (STOP_LOW.name, None, f64::NAN, "a positive number"),
        // One over it is not a number any more.
        (STOP_LOW.name, None, 1e-320, "a positive number"),
        (STOP_LOW.name, Some("jiont"), 1e-3, "`jiont`"),
        ("arm.stop.lwo", None, 1e-3, "arm.stop.low"),
    ] {
        let error = observer.set_margin(switch, joint, margin).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(observer.watch(&TRIGGER, "gun", -1.0).is_err());
}

/// A step's status is the same for duals as for plain numbers, and is what the Jacobian of the step carries.
#[test]
fn duals_have_the_status_of_plain_numbers() {
    type Dual = Tangents<2>;
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let mut random = Random::new(100 + seed);
        let coupled = if seed % 2 == 1 { 0.5 } else { 0.0 };
        let model = machine(&mut random, Kind { coupled, ..Kind::arm(4) });
        let mut q: Vec<f64> = (0..4).map(|_| 0.05 * random.unit()).collect();
        let mut v = random.vector(4);
        model.coupling().positions(&mut q);
        model.coupling().rates(&mut v);
        let mut plain = Watched::new(model.clone(), Solver::Exact, &q, &v);
        let seeds: Vec<Dual> = q.iter().map(|x| Dual { value: *x, tangents: [0.3, -1.0] }).collect();
        let mut dual = Watched::new(model.map(Dual::from_f64), Solver::Exact, &constants(&q), &constants(&v));
        dual.rig.state.q.copy_from_slice(&seeds);
        let mut jacobian = StepJacobian::new(plain.rig.arm.model());
        for k in 0..100 {
            let effort: Vec<f64> = (0..4).map(|j| 8.0 * (0.1 * f64::from(k) + f64::from(j)).sin()).collect();
            let before = plain.rig.state.clone();
            let inputs = Inputs::effort(&effort);
            let report = plain.rig.step(&inputs, &mut Choices::free());
            let status = plain.observer.observe_step(&plain.rig.out, &report, 0.0);
            plain.rig.arm.jacobian(
                &mut plain.rig.ws,
                &before,
                &inputs,
                &plain.rig.state,
                &plain.rig.out,
                &mut jacobian,
            );
            assert_eq!(jacobian.read().1, &plain.rig.arm.status(&plain.rig.out));
            if status.observed != Observed::Exact || jacobian.read().1.observed == Observed::Exact {
                // Alone, a step cannot know that a stop put a joint where it sticks.
                assert_eq!(jacobian.read().1, &status, "seed {seed} step {k}");
            }
            assert_eq!(dual.step(&constants(&effort)), status.observed, "seed {seed} step {k}");
            seen.insert(status.observed);
        }
        let (plain, dual) = (plain.status(), dual.status());
        assert_eq!((plain.observed, &plain.vanishing), (dual.observed, &dual.vanishing));
        assert_eq!(plain.stuck_fraction, dual.stuck_fraction);
    }
    assert!(seen.len() >= 2, "{seen:?}");
}

/// A gripper: `left` and `right` follow nobody and `left`, by these multipliers and limits.
fn gripper(multiplier: f64, lower: [f64; 2], upper: [f64; 2]) -> Model<f64> {
    let mut builder = Builder::new("gripper");
    let body = || Some(Inertial::new(0.5, [0.0; 3], [0.01, 0.0, 0.0, 0.01, 0.0, 0.01]));
    builder.link("palm", None).link("left_finger", body()).link("right_finger", body());
    for (k, name) in ["left", "right"].into_iter().enumerate() {
        let mimic = MimicSpec { joint: "left".into(), multiplier, offset: 0.0 };
        builder.joint(JointSpec {
            name: name.into(),
            kind: Some(JointKind::Prismatic),
            parent: "palm".into(),
            child: format!("{name}_finger"),
            axis: [1.0, 0.0, 0.0],
            lower: Some(lower[k]),
            upper: Some(upper[k]),
            friction: if k == 1 { 1.0 } else { 0.0 },
            mimic: (k == 1).then_some(mimic),
            ..JointSpec::default()
        });
    }
    builder.build().expect("a gripper")
}

/// Joints that move as one are watched once, each law under the joint whose it is; and equal limits of a gripper tie only
/// where that stop is met.
#[test]
fn coupled_joints_are_watched_once() {
    let joints = |model: Model<f64>, switch: &str| {
        let observer = Watched::new(model, Solver::Exact, &[0.1, 0.1], &[0.0; 2]).observer;
        ["left", "right"].map(|joint| observer.find(switch, joint).is_some())
    };
    let straight = || gripper(1.0, [0.0, 0.05], [0.4, 0.3]);
    assert_eq!(joints(straight(), "arm.stop.low"), [false, true]);
    assert_eq!(joints(straight(), "arm.stop.high"), [false, true]);
    assert_eq!(joints(straight(), "arm.friction.low"), [false, true], "only the right one rubs");
    let mixed = || gripper(1.0, [0.0, 0.05], [0.3, 0.4]);
    assert_eq!(joints(mixed(), "arm.stop.low"), [false, true]);
    assert_eq!(joints(mixed(), "arm.stop.high"), [true, false]);
    // Turned round, the right one's upper limit is the lower stop of both.
    let turned = gripper(-1.0, [-0.4, -0.3], [0.4, 0.05]);
    let observer = Watched::new(turned, Solver::Exact, &[0.0; 2], &[0.0; 2]).observer;
    assert!(observer.find("arm.stop.high", "right").is_some());
    assert!(observer.find("arm.stop.low", "right").is_some(), "and its lower one their upper stop");
    assert!(observer.find("arm.stop.low", "left").is_none());
    // It is met there, and told in its own terms.
    let turned = gripper(-1.0, [-0.4, -0.5], [0.4, 0.05]);
    let mut run = Watched::new(turned, Solver::Exact, &[0.0; 2], &[0.0; 2]);
    let high = ["left", "right"].map(|joint| run.observer.find("arm.stop.high", joint).is_some());
    assert_eq!(high, [true, true]);
    run.observer.set_margin("arm.stop.high", Some("right"), 0.051).unwrap();
    run.step(&[0.0; 2]);
    let near = run.status().near().first().map(|near| (near.switch, near.joint.clone(), near.value));
    assert_eq!(near, Some(("arm.stop.high", "right".into(), 0.05)));

    let equal = gripper(1.0, [0.0; 2], [0.4; 2]);
    let mut run = Watched::new(equal, Solver::Exact, &[0.1; 2], &[0.0; 2]);
    assert_eq!(run.step(&[2.0, 0.0]), Observed::Exact, "no stop is met");
    for _ in 0..100 {
        run.step(&[-20.0, 0.0]);
    }
    let status = run.status();
    assert_eq!((run.rig.out.pieces[0], status.observed), (Piece::Lower, Observed::OneSided));
    let near = status.near();
    let tie = near.iter().find(|near| near.switch == COUPLED_LOW.name).expect("the tie of the stops");
    assert_eq!((tie.value, run.rig.out.coupled_high[0]), (0.0, None));
    assert!(status.stop_fraction.iter().all(|(_, part)| *part > 0.5), "{status:?}");
    // The same where a derivative by the other's stop decides which counts.
    let equal = || DynamicArm::new(gripper(1.0, [0.0; 2], [0.4; 2]), DT, Solver::Exact).unwrap();
    for name in ["left.lower", "right.lower"] {
        let rung = Rung::Dynamic(equal());
        let quantity = Quantity::JointPosition { joint: 0, goal: 1.0 };
        let term = Term { quantity, when: When::End, weight: 1.0 };
        let objective = Objective::new(rung.model(), vec![term]).unwrap();
        let by = By { parameters: vec![name.into()], ..By::default() };
        let mut adjoint = Adjoint::new(&rung, &objective, by, 100).unwrap();
        let start = rung.state(&[0.1; 2], &[0.0; 2]).unwrap();
        let values: Vec<f64> = (0..200).map(|i| if i % 2 == 0 { -20.0 } else { 0.0 }).collect();
        let gradient = adjoint.gradient(&Course { start: &start, drives: &[], values: &values }).unwrap();
        let (found, status) = gradient.read();
        // It rests on the stop, and a higher one is met first.
        assert!((found.by_parameter[0] + 2.0).abs() < 1e-12, "{name}: {found:?}");
        let near = status.near();
        let ties = near.iter().filter(|near| near.switch == COUPLED_LOW.name && near.value == 0.0);
        let ties: Vec<String> = ties.map(|near| format!("{}.lower", near.joint)).collect();
        assert_eq!((status.observed, ties), (Observed::OneSided, vec![name.to_owned()]));
    }
    // A hair apart they are near each other, and no tie.
    let mut apart = Watched::new(gripper(1.0, [0.0, -1e-5], [0.4; 2]), Solver::Exact, &[0.1; 2], &[0.0; 2]);
    for _ in 0..100 {
        apart.step(&[-20.0, 0.0]);
    }
    let status = apart.status();
    let gap = status.near().into_iter().find(|near| near.switch == COUPLED_LOW.name).map(|near| near.value);
    assert!(gap.is_some_and(|gap| (gap - 1e-5).abs() < 1e-15), "{gap:?}");
}

/// The kinematic rung: commands near and on a limit; beyond it no command changes anything, but for what a lag leaves.
#[test]
fn commands_have_a_status() {
    let step = |servo: Option<f64>, commands: &[f64]| {
        let arm = KinematicArm::new(rough(), DT, servo).unwrap();
        let (mut ws, mut out) = (Workspace::new(arm.model()), Outcome::new(arm.model()));
        let (mut state, mut observer) = (arm.state(&[0.0], &[0.0]).unwrap(), arm.observer());
        let mut steps = Vec::new();
        for (k, command) in commands.iter().enumerate() {
            let report = arm.step(&mut ws, &mut state, &[*command], &mut Choices::free(), &mut out);
            steps.push(observer.observe(&out, &report, (k + 1) as f64 * DT));
        }
        (steps, observer.status())
    };
    let (steps, status) = step(None, &[0.5, 1.0 - 5e-5, 1.0, 1.2, 1.3]);
    let expected =
        [Observed::Exact, Observed::ExactBranch, Observed::OneSided, Observed::Exact, Observed::Exact];
    assert_eq!((steps.as_slice(), status.observed), (&expected[..], Observed::OneSided));
    assert_eq!(status.stop_fraction, [("joint".into(), 0.4)]);
    assert_eq!(status.group("joint_velocities").unwrap().status, Observed::OneSided);
    assert_eq!(status.groups[0].near[0].switch, "arm.limit.high");
    let flagged = vanishing(&status);
    assert_eq!(flagged, ["frame_poses", "joint_positions", "joint_velocities"]);
    // The step that left the place it was told has a velocity that depends on it.
    let (_, status) = step(None, &[0.5, 1.2]);
    assert_eq!(vanishing(&status), ["frame_poses", "joint_positions"]);
    let (_, status) = step(Some(0.1), &[0.5, 1.2, 1.3]);
    assert_eq!(vanishing(&status), [""; 0]);
    assert_eq!(status.inputs, ["commands"]);
}

/// Statuses of two segments join: the least of both, facts of both; a group vanishes where it does in each that has the
/// inputs.
#[test]
fn statuses_of_segments_join() {
    let mut still = Watched::new(two([5.0, 5.0]), Solver::Exact, &[0.0; 2], &[0.0; 2]);
    still.step(&[1.0, 1.0]);
    let mut near = at(rough(), Solver::Exact, 0.0, 0.0);
    near.step(&[3.0 - 1e-3]);
    let mut both = still.status();
    both.join(near.status());
    assert_eq!((both.observed, both.stuck_fraction.len()), (Observed::ExactBranch, 3));
    assert_eq!(both.groups.len(), 4);
    assert!(both.groups.iter().all(|g| g.status == Observed::ExactBranch && g.near.len() == 1));
    assert!(both.vanishes("joint_positions", "efforts"));
    // Commands are another family: no effort changes a commanded arm either.
    let arm = KinematicArm::new(rough(), DT, None).unwrap();
    let (mut ws, mut out) = (Workspace::new(arm.model()), Outcome::new(arm.model()));
    let (mut state, mut observer) = (arm.state(&[0.0], &[0.0]).unwrap(), arm.observer());
    let _ = arm.step(&mut ws, &mut state, &[0.5], &mut Choices::free(), &mut out);
    observer.observe(&out, &StepReport::without_solve(), DT);
    for first in [false, true] {
        let (mut one, other) =
            if first { (still.status(), observer.status()) } else { (observer.status(), still.status()) };
        one.join(other);
        assert!(one.vanishes("joint_positions", "efforts") && !one.vanishes("joint_positions", "commands"));
        assert_eq!(one.inputs.len(), 2);
    }
    near.step(&[9.0]);
    let mut both = still.status();
    both.join(near.status());
    assert!(!both.vanishes("joint_positions", "efforts"), "the second one moves");
}

//! `report.json`.

use crate::experiment::{Built, Profile, SegmentAccount};
use crate::model::quoted;
use crate::rollout::{Ending, Rung, Segment, beyond_effort, beyond_speed};
use crate::switch::GradientStatus;
use serde_json::{Map, Value, json};

/// What a clock on the wall says of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocked {
    /// Stepping alone, s.
    pub wall_s: f64,
}

/// The report of a run, schema `articula/run/1`.
pub fn document(built: &Built, ending: &Ending, clocked: Clocked) -> Value {
    let session = &built.session;
    let steps = session.rows().saturating_sub(1);
    let simulated = session.time(steps);
    let each = || session.segments().iter().zip(&built.segments);
    let mut segments = Map::new();
    let mut flags = Map::new();
    for (segment, account) in each() {
        let name = quoted(segment.name());
        segments.insert(name.clone(), segment_json(segment, account));
        flags.insert(format!("{name}.beyond_speed_limit"), json!(speeds(segment, session.step())));
        if let Rung::Dynamic(_) = segment.rung() {
            flags
                .insert(format!("{name}.beyond_effort_limit"), json!(beyond_effort(segment, session.step())));
        }
    }
    let mut report = json!({
        "schema": "articula/run/1",
        "articula": env!("CARGO_PKG_VERSION"),
        "experiment": built.experiment,
        "experiment_sha256": built.sha256,
        "profile": built.profile,
        "pending": built.pending(),
    });
    if built.profile == Profile::Research {
        report["conventions"] = json!(built.conventions());
    }
    report["not_used"] = json!(built.unused);
    report["ending"] = ending_json(ending);
    report["time"] = json!({
        "step": session.step(),
        "steps": steps,
        "wall_s": clocked.wall_s,
        "realtime_factor": if clocked.wall_s > 0.0 { simulated / clocked.wall_s } else { 0.0 },
    });
    report["segments"] = Value::Object(segments);
    report["flags"] = Value::Object(flags);
    report["validity"] = json!(each().flat_map(|(_, account)| &account.validity).collect::<Vec<_>>());
    report["solver"] = solver(built);
    report["energy"] = energy(built);
    report["status"] = status(&built.session.status());
    report
}

fn ending_json(ending: &Ending) -> Value {
    match ending {
        Ending::Done => json!({"kind": "done"}),
        Ending::Interrupted => json!({"kind": "interrupted"}),
        Ending::NotFinite { segment, joint, time } => {
            json!({"kind": "not_finite", "segment": segment, "joint": joint, "time": time})
        }
    }
}

fn segment_json(segment: &Segment, account: &SegmentAccount) -> Value {
    let model = segment.model();
    let joints = model.joints().iter().zip(&account.armature_sources).map(|(joint, source)| {
        json!({
            "name": joint.name,
            "kind": joint.kind,
            "unit": joint.kind.position_unit(),
            "lower": joint.lower,
            "upper": joint.upper,
            "speed_limit": joint.speed_limit,
            "effort_limit": joint.effort_limit,
            "damping": joint.damping,
            "friction": joint.friction.unwrap_or(0.0),
            "armature": joint.armature,
            "armature_source": source,
            "mimic": joint.mimic.map(|m| json!({
                "joint": model.joints()[m.leader].name,
                "multiplier": m.multiplier,
                "offset": m.offset,
            })),
        })
    });
    let dynamic = matches!(segment.rung(), Rung::Dynamic(_));
    let masses = model.frames().iter().filter(|frame| frame.inertia.mass != 0.0).map(|frame| {
        let carrier = frame.joint.map_or("world", |j| model.joints()[j].name.as_str());
        json!({"name": frame.name, "mass": frame.inertia.mass, "carried_by": dynamic.then_some(carrier)})
    });
    let not_used: Vec<Value> =
        account.not_used.iter().map(|(path, line)| json!({"path": path, "line": line})).collect();
    let acknowledged = account.acknowledged.iter();
    let acknowledged: Vec<Value> = acknowledged
        .map(|(a, line)| json!({"element": a.element, "reason": a.reason, "line": line}))
        .collect();
    let drives = model.joints().iter().zip(segment.drives());
    let drives: Map<String, Value> =
        drives.map(|(joint, drive)| (joint.name.clone(), json!(drive.as_ref().map(|d| d.kind())))).collect();
    let law = crate::registry::of_rung(segment.rung());
    json!({
        "entry": law.name,
        "entry_version": law.version,
        "rung": segment.rung().name(),
        "description": {
            "path": account.path,
            "sha256": account.sha256,
            "not_used": not_used,
            "acknowledged": acknowledged,
        },
        "joints": joints.collect::<Vec<_>>(),
        "drives": drives,
        "frames": model.frames().iter().map(|frame| &frame.name).collect::<Vec<_>>(),
        "settings": account.settings,
        "masses": masses.collect::<Vec<_>>(),
        "kicks": [],
        "switches": segment.rung().switches(),
    })
}

/// Joints beyond their speed limit; of the kinematic rung with the peak of their acceleration too.
fn speeds(segment: &Segment, step: f64) -> Vec<Value> {
    let rows = segment.trajectory();
    let kinematic = matches!(segment.rung(), Rung::Kinematic(_));
    let own = step * segment.every() as f64;
    let found = beyond_speed(segment, step).into_iter().map(|watch| {
        let mut line = json!(watch);
        let joint = segment.model().joints().iter().position(|j| j.name == watch.joint);
        if let (true, Some(j)) = (kinematic, joint) {
            let speed = |k: usize| rows.v[k * rows.joints + j];
            let steps = (segment.every()..rows.rows).step_by(segment.every());
            let rates = steps.map(|k| ((speed(k) - speed(k - segment.every())) / own).abs());
            line["peak_acceleration"] = json!(rates.fold(0.0, f64::max));
        }
        line
    });
    found.collect()
}

/// Rows that end a step of their segment's own.
fn own_steps(segment: &Segment) -> impl Iterator<Item = usize> {
    (segment.every()..segment.trajectory().rows).step_by(segment.every())
}

fn solver(built: &Built) -> Value {
    let (mut settled, mut unsettled) = (0, 0);
    for segment in built.session.segments() {
        let good = own_steps(segment).filter(|k| segment.trajectory().settled[*k]).count();
        settled += good;
        unsettled += own_steps(segment).count() - good;
    }
    json!({"settled_steps": settled, "unsettled_steps": unsettled, "max_residual": residual(built)})
}

fn residual(built: &Built) -> f64 {
    let each = built.session.segments().iter().flat_map(|s| &s.trajectory().residual);
    each.fold(0.0, |m: f64, r| m.max(*r))
}

/// The dynamic segment's ledger; without one only the energies themselves.
fn energy(built: &Built) -> Value {
    let segments = built.session.segments();
    if let Some(ledger) = segments.iter().find_map(Segment::ledger) {
        return json!({
            "kinetic_start": ledger.kinetic_start,
            "kinetic_end": ledger.kinetic_end,
            "potential_start": ledger.potential_start,
            "potential_end": ledger.potential_end,
            "work": ledger.work,
            "step_defect": ledger.step_defect,
            "closure": ledger.closure,
        });
    }
    let sum = |of: fn(&Segment) -> Option<&f64>| segments.iter().filter_map(of).sum::<f64>();
    json!({
        "kinetic_start": sum(|s| s.trajectory().kinetic.first()),
        "kinetic_end": sum(|s| s.trajectory().kinetic.last()),
        "potential_start": sum(|s| s.trajectory().potential.first()),
        "potential_end": sum(|s| s.trajectory().potential.last()),
        "work": null,
        "step_defect": null,
        "closure": null,
    })
}

/// What a gradient through the run is worth, with one sentence of it as `text`.
pub(crate) fn status(status: &GradientStatus) -> Value {
    let mut value = json!(status);
    value["text"] = json!(status.to_string());
    value
}

//! The lists of `report.json`.

use super::table::{Column, table, words};
use crate::experiment::Built;
use crate::model::quoted;
use maud::{Markup, html};
use serde_json::{Value, json};

const JOINTS: [Column; 14] = [
    ("joint", "name"),
    ("kind", "kind"),
    ("unit", "unit"),
    ("drive", "drive"),
    ("lower (rad; m)", "lower"),
    ("upper (rad; m)", "upper"),
    ("speed limit (rad/s; m/s)", "speed_limit"),
    ("effort limit (N m; N)", "effort_limit"),
    ("friction (N m; N)", "friction"),
    ("damping (N m s/rad; N s/m)", "damping"),
    ("armature (kg m²; kg)", "armature"),
    ("its source", "armature_source"),
    ("stuck, of the steps", "stuck"),
    ("at a stop, of the steps", "stopped"),
];
const SETTINGS: [Column; 8] = [
    ("setting", "name"),
    ("value", "value"),
    ("unit", "unit"),
    ("role", "role"),
    ("source", "source"),
    ("kind of default", "default_kind"),
    ("basis", "basis"),
    ("dimension", "dimension"),
];
const SWITCHES: [Column; 5] = [
    ("switch", "name"),
    ("indicator", "indicator"),
    ("unit", "unit"),
    ("orders (0 a kink, −1 a jump)", "orders"),
    ("route to an exact derivative", "route"),
];
const ACKNOWLEDGED: [Column; 3] = [("element", "element"), ("line", "line"), ("reason", "reason")];
const NOT_USED: [Column; 2] = [("element", "path"), ("line", "line")];
const MASSES: [Column; 3] = [("link", "name"), ("mass (kg)", "mass"), ("carried by", "carried_by")];
const BEYOND: [Column; 6] = [
    ("joint", "joint"),
    ("first (s)", "first_time"),
    ("peak at (s)", "peak_time"),
    ("peak", "peak"),
    ("limit", "limit"),
    ("steps beyond", "steps"),
];
const ENERGY: [Column; 2] = [("", "what"), ("J", "value")];

/// Every list of the report, segment by segment; the long ones folded.
pub(super) fn facts(built: &Built, report: &Value) -> Markup {
    html! {
        section #facts aria-labelledby="facts-title" {
            h2 #facts-title { "Facts" }
            (folded("Energy ledger", true, table(&ENERGY, &energy(report))))
            @for (flag, joints) in report["flags"].as_object().into_iter().flatten() {
                @if joints.as_array().is_some_and(|list| !list.is_empty()) {
                    (folded(flag, true, table(&BEYOND, list(joints))))
                }
            }
            @for segment in built.session.segments() {
                @let facts = &report["segments"][quoted(segment.name())];
                @let name = segment.name();
                (folded(&format!("Joints of {name}"), true, table(&JOINTS, &joints(report, facts))))
                (taken(name, facts))
                (folded(&format!("All settings of {name}"), false, table(&SETTINGS, list(&facts["settings"]))))
                (folded(&format!("Switches of {name}"), false, table(&SWITCHES, list(&facts["switches"]))))
                (description(name, facts))
                (folded(&format!("Masses of {name}"), false, table(&MASSES, list(&facts["masses"]))))
            }
            p.small {
                "Profile " (words(&report["profile"])) ". Experiment file SHA-256 "
                code { (built.sha256) } ". Step " (words(&report["time"]["step"]))
                " s. Numbers here are to six digits; report.json has the same facts with all of them."
            }
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn folded(title: &str, open: bool, inside: Markup) -> Markup {
    html! {
        details open[open] { summary { h3 { (title) } } (inside) }
    }
}

/// A segment's joints with their drives and how often they were held.
fn joints(report: &Value, facts: &Value) -> Vec<Value> {
    let status = &report["status"];
    let part = |of: &Value| of.as_f64().map_or(Value::Null, |x| format!("{:.1} %", x * 100.0).into());
    let joints = list(&facts["joints"]).iter().map(|joint| {
        let name = joint["name"].as_str().unwrap_or_default();
        let mut row = joint.clone();
        if let (Some(kind), Some(leader)) = (joint["kind"].as_str(), joint["mimic"]["joint"].as_str()) {
            let (multiplier, offset) = (&joint["mimic"]["multiplier"], &joint["mimic"]["offset"]);
            row["kind"] = format!("{kind}, follows {leader}: {multiplier} × it + {offset}").into();
        }
        row["drive"] = facts["drives"][name].clone();
        row["stuck"] = part(&status["stuck_fraction"][name]);
        row["stopped"] = part(&status["stop_fraction"][name]);
        row
    });
    joints.collect()
}

/// Settings that nobody gave.
fn taken(name: &str, facts: &Value) -> Markup {
    let defaults: Vec<&Value> =
        list(&facts["settings"]).iter().filter(|s| s["source"] == "default").collect();
    folded(&format!("Settings of {name} taken by default"), true, table(&SETTINGS[..7], defaults))
}

/// What became of the robot file.
fn description(name: &str, facts: &Value) -> Markup {
    let file = &facts["description"];
    let (acknowledged, not_used) = (list(&file["acknowledged"]), list(&file["not_used"]));
    html! {
        @let title = format!("Robot file of {name}: {} acknowledged, {} not used", acknowledged.len(), not_used.len());
        (folded(&title, false, html! {
            p { (words(&file["path"])) ", SHA-256 " code { (words(&file["sha256"])) } }
            h4 { "Refused, and acknowledged" }
            (table(&ACKNOWLEDGED, acknowledged))
            h4 { "Recognised, and without effect here" }
            (table(&NOT_USED, not_used))
        }))
    }
}

fn energy(report: &Value) -> Vec<Value> {
    let energy = &report["energy"];
    let work = |key: &str| energy["work"][key].clone();
    let line = |what: &str, value: Value| json!({"what": what, "value": value});
    vec![
        line("kinetic, start", energy["kinetic_start"].clone()),
        line("kinetic, end", energy["kinetic_end"].clone()),
        line("potential, start", energy["potential_start"].clone()),
        line("potential, end", energy["potential_end"].clone()),
        line("work of drives", work("effort")),
        line("work of wrenches", work("wrench")),
        line("work of damping", work("damping")),
        line("work of friction", work("friction")),
        line("work of stops", work("stop")),
        line("work of gyroscopic turns", work("gyroscopic")),
        line("the scheme's own error", energy["step_defect"].clone()),
        line("what does not add up", energy["closure"].clone()),
    ]
}

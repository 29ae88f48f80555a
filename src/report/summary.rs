//! A run in a few lines.

use serde_json::Value;
use std::fmt::Write;

/// The few lines of a report that a person reads first.
pub fn summary(report: &Value) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line(clock(report));
    line(solver(report));
    line(gradient(report));
    for (kind, words) in [("stuck_fraction", "stuck"), ("stop_fraction", "at a stop")] {
        let joints = report.pointer(&format!("/status/{kind}")).and_then(Value::as_object);
        let some = joints.into_iter().flatten().filter_map(|(joint, part)| {
            part.as_f64().filter(|x| *x > 0.0).map(|x| format!("{joint} {:.0} %", (x * 100.0).max(1.0)))
        });
        let some: Vec<String> = some.collect();
        if !some.is_empty() {
            line(format!("{words}, of the steps: {}", some.join(", ")));
        }
    }
    flags(report).into_iter().chain(energy(report)).for_each(&mut line);
    let lists = [
        ("pending", PENDING),
        ("conventions", "conventions taken"),
        ("not_used", "sections of the experiment that a run does not use"),
    ];
    lists.iter().filter_map(|(key, words)| named(report, key, words)).for_each(&mut line);
    validity(report).into_iter().for_each(|words| line(format!("note: {words}")));
    text
}

fn number(report: &Value, path: &str) -> f64 {
    report.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// How much was simulated, and how fast.
pub(super) fn clock(report: &Value) -> String {
    let number = |path: &str| number(report, path);
    let (step, steps) = (number("/time/step"), number("/time/steps"));
    format!(
        "{steps} steps of {step} s: {:.3} s simulated in {:.3} s, {:.0} times real time",
        step * steps,
        number("/time/wall_s"),
        number("/time/realtime_factor")
    )
}

/// Whether every step settled.
pub(super) fn solver(report: &Value) -> String {
    let unsettled = number(report, "/solver/unsettled_steps");
    let residual = number(report, "/solver/max_residual");
    if unsettled == 0.0 {
        format!("every step settled, largest residual {residual:.1e} N m s or N s")
    } else {
        format!(
            "{unsettled} steps did not settle, the largest residual they left is {residual:.1e} N m s or N s"
        )
    }
}

/// What a gradient through the run is worth.
pub(super) fn gradient(report: &Value) -> String {
    format!("gradient through this run: {}", report["status"]["text"].as_str().unwrap_or_default())
}

/// Joints beyond a limit that is watched, a line each.
fn flags(report: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (flag, joints) in report["flags"].as_object().into_iter().flatten() {
        for joint in joints.as_array().into_iter().flatten() {
            lines.push(format!(
                "{flag}: {} first at {:.3} s, peak {} against {} (limits are watched, not applied)",
                joint["joint"].as_str().unwrap_or_default(),
                joint["first_time"].as_f64().unwrap_or(f64::NAN),
                decimals(joint["peak"].as_f64().unwrap_or(f64::NAN)),
                joint["limit"],
            ));
        }
    }
    lines
}

/// Where the energy went; nothing without a ledger.
pub(super) fn energy(report: &Value) -> Option<String> {
    report.pointer("/energy/work/effort").filter(|work| work.is_number())?;
    let of = |path: &str| number(report, path);
    let change = of("/energy/kinetic_end") - of("/energy/kinetic_start") + of("/energy/potential_end")
        - of("/energy/potential_start");
    let part = |path: &str| decimals(of(path));
    Some(format!(
        "energy changed by {} J: drives {}, friction {}, damping {}, stops {}, the scheme's own error {}",
        decimals(change),
        part("/energy/work/effort"),
        part("/energy/work/friction"),
        part("/energy/work/damping"),
        part("/energy/work/stop"),
        part("/energy/step_defect"),
    ))
}

/// Four decimals, or, where that would be a row of digits, four digits and an exponent.
pub(super) fn decimals(x: f64) -> String {
    if x.abs() < 1e9 { format!("{x:.4}") } else { format!("{x:.4e}") }
}

/// What numbers are called that somebody has to answer for.
pub(super) const PENDING: &str = "numerical defaults taken (pending)";

/// A list of names in the report, under a heading; nothing where it is empty.
pub(super) fn named(report: &Value, key: &str, heading: &str) -> Option<String> {
    let names: Vec<&str> = report[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    (!names.is_empty()).then(|| format!("{heading}: {}", names.join(", ")))
}

/// What to know before believing the numbers, a line each.
pub(super) fn validity(report: &Value) -> Vec<String> {
    let notes = report["validity"].as_array().into_iter().flatten().map(|note| {
        let joint = note["joint"].as_str().map(|j| format!("{j}: ")).unwrap_or_default();
        format!("{joint}{}", note["text"].as_str().unwrap_or_default())
    });
    notes.collect()
}

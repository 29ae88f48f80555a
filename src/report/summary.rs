//! A run in a few lines.

use serde_json::Value;
use std::fmt::Write;

/// The few lines of a report that a person reads first.
pub fn summary(report: &Value) -> String {
    let mut text = String::new();
    let number = |path: &str| report.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let (step, steps) = (number("/time/step"), number("/time/steps"));
    let mut line = |words: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line(format!(
        "{steps} steps of {step} s: {:.3} s simulated in {:.3} s, {:.0} times real time",
        step * steps,
        number("/time/wall_s"),
        number("/time/realtime_factor")
    ));
    let unsettled = number("/solver/unsettled_steps");
    let residual = number("/solver/max_residual");
    line(if unsettled == 0.0 {
        format!("every step settled, largest residual {residual:.1e} N m s or N s")
    } else {
        format!(
            "{unsettled} steps did not settle, the largest residual they left is {residual:.1e} N m s or N s"
        )
    });
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
    for (flag, joints) in report["flags"].as_object().into_iter().flatten() {
        for joint in joints.as_array().into_iter().flatten() {
            line(format!(
                "{flag}: {} first at {:.3} s, peak {:.4} against {} (limits are watched, not applied)",
                joint["joint"].as_str().unwrap_or_default(),
                joint["first_time"].as_f64().unwrap_or(f64::NAN),
                joint["peak"].as_f64().unwrap_or(f64::NAN),
                joint["limit"],
            ));
        }
    }
    if report.pointer("/energy/work/effort").is_some_and(Value::is_number) {
        let change = number("/energy/kinetic_end") - number("/energy/kinetic_start")
            + number("/energy/potential_end")
            - number("/energy/potential_start");
        line(format!(
            "energy changed by {change:.4} J: drives {:.4}, friction {:.4}, damping {:.4}, stops {:.4}, the scheme's own \
             error {:.4}",
            number("/energy/work/effort"),
            number("/energy/work/friction"),
            number("/energy/work/damping"),
            number("/energy/work/stop"),
            number("/energy/step_defect"),
        ));
    }
    let list = |key: &str| -> Vec<&str> {
        report[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    for (key, words) in [
        ("pending", "numerical defaults taken (pending)"),
        ("conventions", "conventions taken"),
        ("not_used", "sections of the experiment that a run does not use"),
    ] {
        if !list(key).is_empty() {
            line(format!("{words}: {}", list(key).join(", ")));
        }
    }
    for note in report["validity"].as_array().into_iter().flatten() {
        line(format!(
            "note: {}{}",
            note["joint"].as_str().map(|j| format!("{j}: ")).unwrap_or_default(),
            note["text"].as_str().unwrap_or_default()
        ));
    }
    text
}

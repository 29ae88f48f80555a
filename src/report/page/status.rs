//! What a gradient through the run is worth, and why.

use super::table::{Column, table, words};
use maud::{Markup, html};
use serde_json::{Value, json};

const GROUPS: [Column; 8] = [
    ("output group", "group"),
    ("status", "status"),
    ("nearest switch", "switch"),
    ("joint", "joint"),
    ("its indicator", "value"),
    ("margin", "margin"),
    ("unit", "unit"),
    ("at (s)", "time"),
];
const NEAR: [Column; 9] = [
    ("switch", "switch"),
    ("joint", "joint"),
    ("nearest value", "value"),
    ("margin", "margin"),
    ("unit", "unit"),
    ("at (s)", "time"),
    ("exactly zero at (s)", "zero_time"),
    ("other side from (s)", "crossed_time"),
    ("groups", "groups"),
];
const UNDECIDED: [Column; 4] =
    [("switch", "switch"), ("joint", "joint"), ("first at (s)", "time"), ("times", "times")];
const VANISHING: [Column; 3] =
    [("output group", "group"), ("not changed by any of the", "inputs"), ("throughout", "throughout")];

/// The section of the status: every fact, whichever won.
pub(super) fn status(report: &Value) -> Markup {
    let status = &report["status"];
    let near = near(status);
    let list = |key: &str| status[key].as_array().map_or(&[][..], Vec::as_slice);
    html! {
        section #status aria-labelledby="status-title" {
            h2 #status-title { "Gradient status" }
            p {
                "Observed: " strong #observed { (words(&status["observed"])) } ". Declared by the laws: "
                (words(&status["declared"])) ". " code { "articula explain " (words(&status["observed"])) }
                " says what that means and what to do."
            }
            (table(&GROUPS, &groups(status)))
            h3 { "Switches within their margins, or crossed" }
            (table(&NEAR, &near))
            @if !list("undecided").is_empty() {
                h3 { "Ties that no tangent decided" }
                (table(&UNDECIDED, list("undecided")))
            }
            @if !list("vanishing").is_empty() {
                h3 { "Derivatives that are zero whatever the inputs, for joints are held" }
                (table(&VANISHING, list("vanishing")))
            }
        }
    }
}

fn groups(status: &Value) -> Vec<Value> {
    let groups = status["groups"].as_object().into_iter().flatten().map(|(name, group)| {
        let margin = &group["margin"];
        let mut row = json!({"group": name, "status": group["status"]});
        for (_, key) in &GROUPS[2..] {
            row[*key] = margin[*key].clone();
        }
        row
    });
    groups.collect()
}

/// Each switch of each joint once, with the groups it is near in.
fn near(status: &Value) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    for (name, group) in status["groups"].as_object().into_iter().flatten() {
        for near in group["near"].as_array().into_iter().flatten() {
            let same = |row: &&mut Value| row["switch"] == near["switch"] && row["joint"] == near["joint"];
            match rows.iter_mut().find(same) {
                Some(row) => row["groups"].as_array_mut().into_iter().for_each(|g| g.push(json!(name))),
                None => {
                    let mut row = near.clone();
                    row["groups"] = json!([name]);
                    rows.push(row);
                }
            }
        }
    }
    // In every group the same: the names are in the table above.
    let all = status["groups"].as_object().map_or(0, serde_json::Map::len);
    for row in &mut rows {
        if row["groups"].as_array().is_some_and(|groups| groups.len() == all) {
            row["groups"] = json!("all");
        }
    }
    rows
}

//! Lists of a report as tables.

use maud::{Markup, html};
use serde_json::{Number, Value};

/// A column: its heading and the key of its values.
pub(super) type Column = (&'static str, &'static str);

/// A table of objects, a row each; nothing where there are none.
pub(super) fn table<'a>(columns: &[Column], rows: impl IntoIterator<Item = &'a Value>) -> Markup {
    let mut rows = rows.into_iter().peekable();
    html! {
        @if rows.peek().is_some() {
            div.scroll tabindex="0" {
                table {
                    thead { tr { @for (heading, _) in columns { th scope="col" { (heading) } } } }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (i, (_, key)) in columns.iter().enumerate() {
                                    @let text = words(&row[*key]);
                                    @let long = text.len() > 30;
                                    @if i == 0 { th.long[long] scope="row" { (text) } }
                                    @else { td.number[row[*key].is_number()].long[long] { (text) } }
                                }
                            }
                        }
                    }
                }
            }
        } @else {
            p.none { "none" }
        }
    }
}

/// A value in words: lists with commas, lists in lists with spaces, a dash for what is not there.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::String(text) if text.is_empty() => "–".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(inner).collect::<Vec<_>>().join(", "),
        Value::Number(number) => short(number).replace('-', "−"),
        other => other.to_string(),
    }
}

fn inner(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(" "),
        other => words(other),
    }
}

/// A number to six digits; all of them are in `report.json`.
fn short(number: &Number) -> String {
    match number.as_f64() {
        Some(x) if !number.is_i64() && !number.is_u64() => {
            let x: f64 = format!("{x:.5e}").parse().unwrap_or(x);
            let plain = x == 0.0 || (1e-4..1e6).contains(&x.abs());
            if plain { format!("{x}") } else { format!("{x:e}") }
        }
        _ => number.to_string(),
    }
}

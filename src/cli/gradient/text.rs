//! A gradient for people.

use super::answer::Answer;
use super::check::{Check, Line};
use std::fmt::Write;

/// Of each input so many entries are shown, the largest.
const SHOWN: usize = 5;
/// Of entries that disagree so many are shown.
const FEW: usize = 10;

pub(super) fn text(answer: &Answer<'_>) -> String {
    let mut text = format!("objective {}\n", digits(answer.objective));
    let rows = answer.terms.iter().enumerate();
    table(
        &mut text,
        rows.map(|(i, (words, value))| vec![format!("terms[{i}]"), digits(*value), words.clone()]),
    );
    for input in &answer.inputs {
        let count = input.values.len();
        let what = if answer.knots { "knots" } else { "steps" };
        let few = if count > SHOWN {
            format!("the {SHOWN} largest of {count} {what}")
        } else {
            format!("{count} {what}")
        };
        let _ = writeln!(text, "\nby {}, {}: {few}", input.name, input.unit);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| input.gradient[*b].abs().total_cmp(&input.gradient[*a].abs()));
        let row = |&k: &usize| {
            vec![
                format!("at {} s", digits(answer.times[k])),
                format!("{} {}", digits(input.values[k]), input.unit),
                format!("gradient {} per {}", digits(input.gradient[k]), input.unit),
            ]
        };
        table(&mut text, order.iter().take(SHOWN).map(row));
    }
    if !answer.parameters.is_empty() {
        text.push_str("\nby parameters\n");
        let row = |(parameter, gradient): &(&crate::experiment::Parameter, f64)| {
            vec![
                parameter.name.clone(),
                format!("{} {}", digits(parameter.value), parameter.unit),
                format!("gradient {} per {}", digits(*gradient), parameter.unit),
            ]
        };
        table(&mut text, answer.parameters.iter().map(row));
    }
    let _ = writeln!(text, "\nstatus {}", answer.status);
    let _ = writeln!(text, "  `articula explain {}` says what to do with it", answer.status.observed);
    if !answer.status.vanishing.is_empty() {
        text.push_str("  vanishing: no input changes what is named there; a zero is then no optimum: `articula explain vanishing`\n");
    }
    if let Some(check) = &answer.check {
        checked(&mut text, check);
    }
    text
}

fn checked(text: &mut String, check: &Check) {
    let agree = check.lines.iter().filter(|line| line.checked.agrees).count();
    let of =
        if check.interrupted() { format!(", of {} before the interrupt", check.of) } else { String::new() };
    let _ =
        writeln!(text, "\ncheck {agree} of {} entries agree with differences of runs{of}", check.lines.len());
    let mut others: Vec<&Line> = check.lines.iter().filter(|line| !line.checked.agrees).collect();
    others.sort_by_key(|line| !line.wrong());
    for line in others.iter().take(FEW) {
        let difference = match line.checked.difference {
            Some(difference) => {
                format!("difference {} with a step of {:e}", digits(difference), line.checked.step)
            }
            None => "no difference: neither side of the number can be run".into(),
        };
        let _ = writeln!(text, "  {}: gradient {}, {difference}", line.words(), digits(line.entry.gradient));
        for straddle in line.checked.straddles.iter().take(FEW) {
            let (switch, joint) = (straddle.switch, &straddle.joint);
            let _ =
                writeln!(text, "    its runs are on two sides of {switch} of {joint} at {} s", straddle.time);
        }
    }
    if others.len() > FEW {
        let _ = writeln!(text, "  and {} more; --json has all", others.len() - FEW);
    }
}

/// Rows with their columns below each other.
fn table(text: &mut String, rows: impl Iterator<Item = Vec<String>>) {
    let rows: Vec<Vec<String>> = rows.collect();
    let width =
        |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|x| x.chars().count()).max().unwrap_or(0);
    for row in &rows {
        let cells: Vec<String> =
            row.iter().enumerate().map(|(c, cell)| format!("{cell:0$}", width(c))).collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
    }
}

/// Six digits.
fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        return "0".into();
    }
    if (1e-3..1e6).contains(&size) {
        let places = (5 - size.log10().floor() as i32).max(0) as usize;
        let shown = format!("{x:.places$}");
        return if shown.contains('.') {
            shown.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            shown
        };
    }
    format!("{x:.5e}")
}

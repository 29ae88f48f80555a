//! Words and numbers in a plot.

use svg::node::element::Text;

/// A number to the digits that a step between neighbours asks for.
pub(super) fn number(x: f64, step: f64) -> String {
    if x == 0.0 || !step.is_normal() {
        return "0".into();
    }
    let place = (step.abs().log10() + 1e-9).floor() as i32;
    let size = (x.abs().log10() + 1e-9).floor() as i32;
    let text = if size >= 6 || place < -5 {
        let digits = (size - place).max(0) as usize;
        let text = format!("{x:.digits$e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{power}", trimmed(digits))
    } else {
        format!("{x:.*}", (-place).max(0) as usize)
    };
    text.replace('-', "\u{2212}")
}

/// A number on its own, to four digits.
pub(super) fn four_digits(x: f64) -> String {
    let text = number(x, x.abs() * 1e-3);
    if text.contains('e') { text } else { trimmed(&text).to_owned() }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A name as XML can hold it.
pub(super) fn printable(name: &str) -> String {
    name.replace(|c: char| c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c), "\u{fffd}")
}

/// As much of a name as fits into so many pixels, `letter` for one letter; others than Latin are taken as twice as wide.
pub(super) fn fitting(name: &str, width: f64, letter: f64) -> String {
    let wide = |c: char| if (c as u32) < 0x250 { letter } else { 2.0 * letter };
    if name.chars().map(wide).sum::<f64>() <= width {
        return name.to_owned();
    }
    let mut left = width - letter;
    let mut short: String = name
        .chars()
        .take_while(|c| {
            left -= wide(*c);
            left >= 0.0
        })
        .collect();
    short.push('…');
    short
}

/// A coordinate, to a tenth of a pixel.
pub(super) fn px(x: f64) -> String {
    let mut text = String::new();
    push_px(&mut text, x);
    text
}

/// Appends a coordinate, to a tenth of a pixel.
pub(super) fn push_px(text: &mut String, x: f64) {
    use std::fmt::Write;
    let tenths = (x * 10.0).round() as i64;
    // Writing to a string cannot fail.
    let _ = match tenths % 10 {
        0 => write!(text, "{}", tenths / 10),
        _ => write!(text, "{}", tenths as f64 / 10.0),
    };
}

/// A line of text; `anchor` is `start`, `middle` or `end`.
pub(super) fn text(x: f64, y: f64, anchor: &str, size: f64, words: &str) -> Text {
    let text = Text::new(words).set("x", px(x)).set("y", px(y)).set("font-size", px(size));
    if anchor == "start" { text } else { text.set("text-anchor", anchor) }
}

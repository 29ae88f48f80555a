//! Claim: whatever is done to a file, reading it ends in an answer or in an error with a place, soon, and never in a panic.
//!
//! Method: seeded edits of valid files by their structure, so that most still pass the grammar and reach the later
//! checks. `fuzz/` has the same readers under libFuzzer, without seeds and without end.

#![cfg(feature = "cli")]

mod kit;

use articula::description::{Acknowledgement, Description, Inspection};
use articula::experiment::Experiment;
use articula::model::Model;
use kit::Random;
use serde_json::Value;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time for one input.
const BOUND: Duration = Duration::from_secs(5);

const ROBOTS: [&str; 4] = [
    include_str!("fixtures/urdf/arm.urdf"),
    include_str!("fixtures/urdf/refused.urdf"),
    include_str!("fixtures/urdf/transmissions.urdf"),
    include_str!("robots/branched.urdf"),
];

/// Odd numbers, words and letters; the empty name is first.
const ODD: [&str; 40] = [
    "",
    " ",
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "1,5",
    "0x10",
    "1e",
    "+1",
    "1_000",
    "٣",
    "１",
    "0 0 0",
    "1 2 3 4",
    "0 1e308 -1e308",
    "NaN 0 0",
    "true",
    "null",
    "fixed",
    "floating",
    "base",
    "a",
    "\u{feff}",
    "\u{202e}abc",
    "e\u{301}",
    "\u{1f980}",
    "\u{fffd}",
    "a.b",
    "]/[1]",
    "'",
    "${x}",
];

fn pick<'a, X>(random: &mut Random, list: &'a [X]) -> &'a X {
    &list[random.below(list.len())]
}

/// An odd word, a long one now and then.
fn odd(random: &mut Random) -> String {
    match random.below(12) {
        0 => "n".repeat(1 << random.below(14)),
        1 => format!("{:e}", f64::from_bits(random.bits())),
        _ => (*pick(random, &ODD)).to_owned(),
    }
}

/// Edits of the text as such, after which it often is no file of its kind any more.
fn rough(random: &mut Random, text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    let at = random.below(bytes.len() + 1);
    match random.below(20) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, 0),
        2 => bytes.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        3 => bytes.splice(at..at, "\u{feff}".bytes()).for_each(drop),
        4 => bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r\n").into_bytes(),
        5 => bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r").into_bytes(),
        6 => bytes.insert(at, 0xff),
        7 => bytes = String::from_utf8_lossy(&bytes).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => {}
    }
    bytes
}

/// One edit of a robot file by its elements and attributes.
fn edit_robot(random: &mut Random, text: &str) -> String {
    let Ok(doc) = roxmltree::Document::parse(text) else { return text.to_owned() };
    let elements: Vec<Range<usize>> = doc
        .root_element()
        .descendants()
        .skip(1)
        .filter(|node| node.is_element())
        .map(|node| node.range())
        .collect();
    let attributes = doc.descendants().flat_map(|node| node.attributes());
    let values: Vec<Range<usize>> = attributes.map(|attribute| attribute.range_value()).collect();
    let with =
        |range: &Range<usize>, new: &str| format!("{}{new}{}", &text[..range.start], &text[range.end..]);
    if elements.is_empty() || values.is_empty() {
        return text.to_owned();
    }
    let element = pick(random, &elements);
    let piece = &text[element.clone()];
    match random.below(10) {
        0 => with(element, ""),
        1 => with(element, &piece.repeat(2 + random.below(3))),
        2 => with(&(element.end..element.end), &text[pick(random, &elements).clone()]),
        3 => {
            let depth = 1 << random.below(12);
            with(element, &format!("{}{piece}{}", "<a>".repeat(depth), "</a>".repeat(depth)))
        }
        4 => with(element, &piece.replacen(' ', &format!(" x{}=\"1\" ", random.below(9)), 1)),
        5 => {
            // Two elements change places, where neither holds the other.
            let other = pick(random, &elements);
            let (first, second) =
                if element.start < other.start { (element, other) } else { (other, element) };
            if first.end > second.start {
                return text.to_owned();
            }
            let (a, b) = (&text[first.clone()], &text[second.clone()]);
            format!("{}{b}{}{a}{}", &text[..first.start], &text[first.end..second.start], &text[second.end..])
        }
        6 => with(pick(random, &values), &text[pick(random, &values).clone()]),
        _ => with(pick(random, &values), &odd(random).replace(['<', '&', '"'], "")),
    }
}

/// An answer, or faults that say where and what to do; then the machine, where there is one.
fn read_robot(bytes: &[u8]) -> bool {
    let inspection = Inspection::parse("f.urdf", bytes);
    assert!(inspection.to_json().is_object());
    for fault in &inspection.errors {
        let whole = matches!(fault.code, "not_xml" | "not_utf8" | "empty_file");
        assert!(fault.line > 0 || whole, "{fault}");
        assert!(fault.code != "readers_disagree", "{fault}");
        assert!(![&fault.found, &fault.expected, &fault.fix].iter().any(|words| words.is_empty()), "{fault}");
    }
    let Ok(robot) = inspection.description() else { return false };
    let Ok(robot) = robot.acknowledge_all("fuzzed") else { return false };
    match Model::from_description(&robot) {
        Ok(model) => {
            articula::cli::answers(&model, "f.json", b"{}", &[]).expect("zero is a state of every machine");
            true
        }
        Err(error) => {
            assert!(error.to_string().starts_with("f.urdf"), "{error}");
            false
        }
    }
}

/// Runs `cases` of them; how many were taken.
fn cases(count: usize, seed: u64, mut one: impl FnMut(&mut Random) -> bool) -> usize {
    let mut random = Random::new(seed);
    let mut taken = 0;
    for case in 0..count {
        let start = Instant::now();
        taken += usize::from(one(&mut random));
        assert!(start.elapsed() < BOUND, "case {case} took {:?}", start.elapsed());
    }
    taken
}

#[test]
fn robot_files() {
    let taken = cases(900, 1, |random| {
        let mut text = (*pick(random, &ROBOTS)).to_owned();
        for _ in 0..1 + random.below(4) {
            text = edit_robot(random, &text);
        }
        read_robot(&rough(random, text))
    });
    assert!((90..850).contains(&taken), "the edits reach the machine, and do not all: {taken} of 900");
}

const EXPERIMENT: &str = r#"profile = "exploratory"
[time]
step = 0.001
duration = 0.01
[environment]
gravity = [0.0, 0.0, -9.80665]
[chain.arm]
description = "double_pendulum.urdf"
rung = "dynamic"
initial_positions = { upper = 0.1, lower = 0.2 }
initial_velocities = [0.1, 0]
at = [0.1, 0, 0]
orientation = [1, 0, 0, 0]
rate = 0.002
solver = { sweeps = 16 }
[chain.arm.friction]
upper = { coulomb = 0.5, damping = 0.1 }
[chain.arm.armature]
lower = { value = 1.2e-4, reason = "rotor" }
[drive]
"arm.upper" = { pd = { target = 0.3, kp = 20.0, kd = 1.0 } }
"arm.lower" = { sine = { amplitude = 1.0, frequency = 0.5, phase = 0.0, offset = 0.0 } }
[objective]
terms = [
  { frame = "arm.tip", position = [0.3, 0.0, 0.4], at = "end", weight = 1.0 },
  { frame = "arm.tip", orientation = [1, 0, 0, 0], at = "all", weight = 0.1 },
  { joint = "arm.upper", velocity = 0.0, at = "end", weight = 0.1 },
  { effort_squared = "arm", weight = 1e-4 },
]
[decision]
inputs = ["arm.upper", "arm.lower"]
knots = 3
parameters = ["arm.upper.friction", "arm.lower.initial_position", "gravity.z"]
"#;

/// Values of TOML, mostly of the wrong type.
const TOML_VALUES: [&str; 26] = [
    "1",
    "0",
    "-1",
    "1e-12",
    "1e300",
    "nan",
    "-inf",
    "1e999",
    "0x10",
    "9223372036854775807",
    "99999999999999999999",
    "true",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "'''\n'''",
    "1979-05-27T07:32:00Z",
    "[]",
    "[[1], [2]]",
    "[1, \"a\"]",
    "{}",
    "{ upper = 0.1 }",
    "{ a.b.c = 1 }",
    "\"dynamic\"",
    "\"kinematic\"",
    "[0.1, 0.2]",
];

fn edit_experiment(random: &mut Random, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = random.below(lines.len());
    match random.below(9) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[random.below(lines.len())].clone()),
        2 => lines.swap(at, random.below(text.lines().count())),
        3 => {
            lines[at] = lines[at].replacen(
                |c: char| c.is_ascii_alphabetic(),
                pick::<&str>(random, &["é", "x", "", "\"", "."]),
                1,
            )
        }
        4 => {
            let depth = 1 << random.below(10);
            lines[at] = format!("a = {}1{}", "[".repeat(depth), "]".repeat(depth));
        }
        _ => {
            // A value inside the line or the line's own.
            let signs: Vec<usize> = lines[at].match_indices('=').map(|(at, _)| at + 1).collect();
            if !signs.is_empty() {
                let from = *pick(random, &signs);
                let rest = &lines[at][from..];
                let inner = signs[0] != from;
                let length = if inner { rest.find([',', '}']).unwrap_or(rest.len()) } else { rest.len() };
                lines[at] =
                    format!("{} {} {}", &lines[at][..from], pick(random, &TOML_VALUES), &rest[length..]);
            }
        }
    }
    lines.join("\n") + "\n"
}

fn robots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots")
}

#[test]
fn experiment_files() {
    let folder = robots();
    let taken = cases(2000, 2, |random| {
        let mut text = EXPERIMENT.to_owned();
        for _ in 0..1 + random.below(3) {
            text = edit_experiment(random, &text);
        }
        let bytes = rough(random, text);
        match Experiment::parse("x.toml", &folder, &bytes).and_then(|experiment| experiment.build()) {
            Ok(mut built) => {
                let mut steps = 0;
                if built.session.steps() <= 10_000 {
                    let _ = built.session.run(|_, _| {
                        steps += 1;
                        if steps > 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    });
                }
                true
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("x.toml") || message.contains(".urdf"), "{message}");
                let placed = message.starts_with("x.toml:") && message.as_bytes()[7].is_ascii_digit();
                assert!(placed || message.contains("UTF-"), "{message}");
                false
            }
        }
    });
    assert!((80..1800).contains(&taken), "{taken} of 2000");
}

const STATE: &str = r#"[{"q": {"upper": 0.1}, "v": [0.1, 0.2], "a": {"lower": 1}, "tau": [1, 2], "gravity": [0, 0, -9.8],
"wrenches": [{"frame": "tip", "force": [0, 0, 1], "torque": [0, 1, 0]}], "armature": {"upper": 0.1}, "dt": 0.001,
"solver": {"sweeps": 16}, "momenta": [{"frame": "tip", "value": [0, 0, 1]}],
"carried": [{"frame": "tip", "start": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "end": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}],
"friction": {"upper": 1}, "damping": {"lower": 0.1}},
{"base": {"position": [0, 0, 0], "orientation": [1, 0, 0, 0], "angular_velocity": [0, 0, 1]}, "base_tau": [0, 0, 5, 0, 0, 0]}]"#;

/// Replaces one value of a document, or takes it away, or gives it another key.
fn edit_json(random: &mut Random, value: &mut Value) {
    let inner = match &*value {
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        _ => 0,
    };
    if inner > 0 && random.below(5) > 0 {
        let at = random.below(inner);
        match value {
            Value::Array(items) if random.below(8) == 0 => drop(items.remove(at)),
            Value::Array(items) if random.below(8) == 0 => items.push(items[at].clone()),
            Value::Array(items) => edit_json(random, &mut items[at]),
            Value::Object(entries) => {
                let key = entries.keys().nth(at).cloned().expect("a key");
                match random.below(8) {
                    0 => drop(entries.remove(&key)),
                    1 => drop(entries.insert(odd(random), Value::from(random.unit()))),
                    _ => edit_json(random, &mut entries[&key]),
                }
            }
            _ => {}
        }
        return;
    }
    *value = match random.below(9) {
        0 => Value::Null,
        1 => Value::from(odd(random)),
        2 => serde_json::json!([]),
        3 => serde_json::json!({}),
        4 => serde_json::json!([[0.1, 0.2], {"upper": 1}]),
        5 => Value::from(random.below(2) == 0),
        6 => Value::from(f64::from_bits(random.bits())),
        7 => serde_json::json!({"upper": 0.3}),
        _ => Value::from(random.unit()),
    };
}

#[test]
fn states() {
    let robot = Description::parse("r.urdf", include_bytes!("robots/double_pendulum.urdf")).expect("a robot");
    let robot =
        Model::from_description(&robot.acknowledge(&[]).expect("nothing refused")).expect("a machine");
    let valid: Value = serde_json::from_str(STATE).expect("JSON");
    let taken = cases(2500, 3, |random| {
        let mut document = valid.clone();
        for _ in 0..1 + random.below(3) {
            edit_json(random, &mut document);
        }
        let mut text = document.to_string();
        if random.below(6) == 0 {
            let odd = odd(random);
            text = text.replacen("0.1", &odd, 1);
        }
        match articula::cli::answers(&robot, "s.json", &rough(random, text), &[]) {
            Ok(answer) => {
                let text = answer.to_string();
                serde_json::from_str::<Value>(&text).expect("an answer is JSON");
                true
            }
            Err(error) => {
                assert!(error.to_string().starts_with("s.json"), "{error}");
                false
            }
        }
    });
    assert!((200..2300).contains(&taken), "{taken} of 2500");
}

#[test]
fn tables() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz_tables");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(robots().join("pendulum.urdf"), folder.join("r.urdf")).expect("a robot");
    let toml = "[time]\nstep = 0.001\nduration = 0.01\n[chain.arm]\ndescription = \"r.urdf\"\nrung = \"dynamic\"\n\
                initial_positions = [0.1]\n[drive]\n\"arm.swing\" = { table = \"t.csv\", column = \"c\" }\n";
    let taken = cases(1500, 4, |random| {
        let mut rows: Vec<Vec<String>> =
            [["time", "b", "c"], ["0", "1", "2"], ["0.5", "-1", "1e-3"], ["1", "0", "4"]]
                .map(|row| row.map(str::to_owned).to_vec())
                .to_vec();
        for _ in 0..random.below(3) {
            let (row, column) = (random.below(4), random.below(3));
            match random.below(7) {
                0 => rows[row].truncate(column),
                1 => rows[row].push(odd(random)),
                2 => rows.swap(row, 3),
                3 => rows[row] = vec![odd(random)],
                _ => {
                    if let Some(cell) = rows[row].get_mut(column) {
                        *cell = odd(random);
                    }
                }
            }
        }
        let separator = if random.below(12) == 0 { *pick(random, &[";", "\t", ", ", " ,"]) } else { "," };
        let quoted = random.below(6) == 0;
        let line = |row: &Vec<String>| {
            let cells = row.iter().map(|cell| if quoted { format!("\"{cell}\"") } else { cell.clone() });
            cells.collect::<Vec<_>>().join(separator) + "\n"
        };
        std::fs::write(folder.join("t.csv"), rough(random, rows.iter().map(line).collect()))
            .expect("a table");
        match Experiment::parse("x.toml", &folder, toml.as_bytes()).and_then(|experiment| experiment.build())
        {
            Ok(_) => true,
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains("t.csv") && message.contains("expected"), "{message}");
                false
            }
        }
    });
    assert!((200..1300).contains(&taken), "{taken} of 1500");
}

#[test]
fn acknowledgements() {
    let robot = Description::parse("r.urdf", ROBOTS[1].as_bytes()).expect("a robot");
    let paths: Vec<String> = robot.account.entries().map(|entry| entry.path.clone()).collect();
    cases(3000, 5, |random| {
        let mut text = format!("{}={}", pick(random, &paths), odd(random));
        if random.below(2) == 0 {
            let at =
                (0..=random.below(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.insert_str(at, &odd(random));
        }
        match Acknowledgement::parse(&text) {
            Ok(one) => {
                assert!(!one.element.is_empty() && !one.reason.is_empty() && text.contains(&one.element));
                // More than one thing is refused, so that one answer is never enough.
                assert!(!robot.acknowledge(&[one]).expect_err("one of many").to_string().is_empty());
                true
            }
            Err(error) => {
                assert!(error.to_string().starts_with("--acknowledge: found"), "{error}");
                false
            }
        }
    });
}

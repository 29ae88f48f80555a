//! Claim: whatever is done to a robot file, reading it ends in a word and not in a panic, and the account stays whole.
//!
//! Method: seeded random edits of the fixtures, some by bytes, most by pieces that mean something in URDF, so that many
//! of the results are XML and reach the later checks.

use articula::Error;
use articula::description::Inspection;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const FIXTURES: [&str; 3] = [
    include_str!("fixtures/urdf/arm.urdf"),
    include_str!("fixtures/urdf/refused.urdf"),
    include_str!("fixtures/urdf/transmissions.urdf"),
];

const PIECES: [&str; 32] = [
    "<link name=\"base\"/>",
    "<link/>",
    "<joint name=\"spin\" type=\"fixed\"><parent link=\"a\"/><child link=\"base\"/></joint>",
    "<mimic joint=\"spin\"/>",
    "<axis xyz=\"0 0 0\"/>",
    "<axis/>",
    "<limit lower=\"9\"/>",
    "<inertial/>",
    "<inertial><mass value=\"1e308\"/></inertial>",
    "<origin xyz=\"1e200 -1e200 1e308\" rpy=\"1e300 0 0\"/>",
    "<transmission/>",
    "<gazebo><joint/></gazebo>",
    "<x:y xmlns:x=\"urn:x\"/>",
    "<![CDATA[text]]>",
    "<!-- a -->",
    "<?pi?>",
    "&#65;",
    "&amp;",
    "&lost;",
    "</link>",
    "</joint>",
    "<joint>",
    " name=\"]/[1]\"",
    " xmlns=\"urn:y\"",
    " ixx=\"-1\"",
    "nan",
    "-0",
    "1e999",
    "é\u{1f980}",
    "\0",
    "\u{feff}",
    "\r",
];

/// One edit; places are parts of the whole in 1/65536.
#[derive(Clone, Debug)]
enum Edit {
    Byte(u16, u8),
    Insert(u16, usize),
    InsertBetween(u16, usize),
    Delete(u16, usize),
    DropElement(u16),
    CopyElement(u16, u16),
    Value(u16, usize),
}

/// Well-formed pieces among [`PIECES`]: the first ones.
const WELL_FORMED: usize = 18;

const VALUES: [&str; 18] = [
    "",
    "0",
    "-1",
    "nan",
    "1e308",
    "-1e308",
    "1,5",
    "0 0",
    "0 0 0",
    "0 0 1",
    "1 2 3 4",
    "base",
    "a",
    "tool",
    "fixed",
    "planar",
    "continuous",
    "floating",
];

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        1 => (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        1 => (any::<u16>(), 0..PIECES.len()).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        5 => (any::<u16>(), 0..WELL_FORMED).prop_map(|(at, piece)| Edit::InsertBetween(at, piece)),
        1 => (any::<u16>(), 1..40_usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        5 => any::<u16>().prop_map(Edit::DropElement),
        5 => (any::<u16>(), any::<u16>()).prop_map(|(from, to)| Edit::CopyElement(from, to)),
        8 => (any::<u16>(), 0..VALUES.len()).prop_map(|(at, value)| Edit::Value(at, value)),
    ]
}

fn apply(bytes: &mut Vec<u8>, edit: &Edit) {
    let place = |part: u16, length: usize| usize::from(part) * length / 65536;
    let length = bytes.len();
    match edit {
        Edit::Byte(at, byte) => {
            if let Some(old) = bytes.get_mut(place(*at, length)) {
                *old = *byte;
            }
        }
        Edit::Insert(at, piece) => {
            let at = place(*at, length);
            bytes.splice(at..at, PIECES[*piece].bytes());
        }
        Edit::InsertBetween(at, piece) => {
            let from = place(*at, length);
            let at = bytes[from..].iter().position(|byte| *byte == b'\n').map_or(length, |skip| from + skip);
            bytes.splice(at..at, PIECES[*piece].bytes());
        }
        Edit::Delete(at, count) => {
            let at = place(*at, length);
            bytes.drain(at..length.min(at + count));
        }
        Edit::DropElement(at) => {
            let mut lines = lines(bytes);
            let closed = closed(&lines);
            if !closed.is_empty() {
                lines.remove(closed[place(*at, closed.len())]);
            }
            *bytes = lines.join(&b'\n');
        }
        Edit::CopyElement(from, to) => {
            let mut lines = lines(bytes);
            let closed = closed(&lines);
            if !closed.is_empty() {
                let line = lines[closed[place(*from, closed.len())]].clone();
                lines.insert(closed[place(*to, closed.len())], line);
            }
            *bytes = lines.join(&b'\n');
        }
        Edit::Value(at, value) => {
            let quotes: Vec<usize> = (0..length).filter(|at| bytes[*at] == b'"').collect();
            let pairs: Vec<&[usize]> = quotes.chunks_exact(2).collect();
            if !pairs.is_empty() {
                let pair = pairs[place(*at, pairs.len())];
                bytes.splice(pair[0] + 1..pair[1], VALUES[*value].bytes());
            }
        }
    }
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// The lines that are an element without content.
fn closed(lines: &[Vec<u8>]) -> Vec<usize> {
    (0..lines.len()).filter(|line| lines[*line].ends_with(b"/>")).collect()
}

#[test]
fn no_edit_makes_reading_panic() {
    let config = Config { cases: 1200, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let strategy = (0..FIXTURES.len(), prop::collection::vec(edit(), 1..5));
    let read = std::cell::Cell::new((0, 0));
    runner
        .run(&strategy, |(fixture, edits)| {
            let mut bytes = FIXTURES[fixture].as_bytes().to_vec();
            for edit in &edits {
                apply(&mut bytes, edit);
            }
            let inspection = Inspection::parse("edited.urdf", &bytes);
            let json = inspection.to_json();
            prop_assert_eq!(json["errors"].as_array().map(Vec::len), Some(inspection.errors.len()));
            prop_assert!(inspection.errors.iter().all(|fault| fault.code != "readers_disagree"));
            if let Some(account) = &inspection.account {
                let text = std::str::from_utf8(&bytes).expect("what was read is UTF-8");
                let doc = roxmltree::Document::parse(text.trim_start_matches('\u{feff}')).expect("XML");
                let elements = doc.descendants().filter(|node| node.is_element());
                let attributes: usize = elements.clone().map(|node| node.attributes().len()).sum();
                prop_assert_eq!(account.elements.len(), elements.count());
                prop_assert_eq!(account.attributes.len(), attributes);
                let mut paths: Vec<&str> = account.entries().map(|entry| entry.path.as_str()).collect();
                paths.sort_unstable();
                prop_assert!(paths.windows(2).all(|pair| pair[0] != pair[1]));
            }
            let clean = inspection.errors.is_empty();
            let (xml, good) = read.get();
            read.set((xml + usize::from(inspection.account.is_some()), good + usize::from(clean)));
            match inspection.description() {
                Ok(robot) => {
                    prop_assert!(clean);
                    let answer = robot.acknowledge_all("a test");
                    let answered = matches!(answer, Ok(_) | Err(Error::Refused { .. }));
                    prop_assert!(answered);
                }
                Err(Error::Description { faults, .. }) => prop_assert!(!clean && !faults.is_empty()),
                Err(other) => prop_assert!(false, "{other}"),
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let (xml, good) = read.get();
    assert!(xml > 500 && good > 200, "the edits reach the later checks: {xml} are XML, {good} without error");
}

//! Claims about what a robot file says: complete account, every error, every refusal, every note, acknowledgement.
//!
//! Method: a valid fixture with exactly one thing spoiled, so that the word for that thing, and no other, must come.

use articula::Error;
use articula::description::{
    Acknowledgement, Description, Entry, Inertial, Inspection, JointKind, Limit, Transmission, Verdict,
};
use articula::error::Fault;

const ARM: &str = include_str!("fixtures/urdf/arm.urdf");
const REFUSED: &str = include_str!("fixtures/urdf/refused.urdf");
const TRANSMISSIONS: &str = include_str!("fixtures/urdf/transmissions.urdf");

fn inspect(text: &str) -> Inspection {
    Inspection::parse("test.urdf", text.as_bytes())
}

/// The text with one place changed; the place must be there once.
fn spoil(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "`{from}` must stand once in the fixture");
    text.replacen(from, to, 1)
}

/// The line of a piece of text, from 1.
fn line_of(text: &str, piece: &str) -> u32 {
    let at = text.find(piece).unwrap_or_else(|| panic!("`{piece}` must be in the text"));
    1 + u32::try_from(text[..at].matches('\n').count()).expect("a small file")
}

fn codes(text: &str) -> Vec<&'static str> {
    inspect(text).errors.iter().map(|fault| fault.code).collect()
}

/// The single error of a text.
fn only_error(text: &str) -> Fault {
    let errors = inspect(text).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

fn entry(text: &str, path: &str) -> Entry {
    let account = inspect(text).account.expect("an account");
    account.entry(path).unwrap_or_else(|| panic!("no entry {path}")).clone()
}

/// The paths with a verdict, in file order within elements, attributes, texts.
fn paths(text: &str, verdict: Verdict) -> Vec<String> {
    let account = inspect(text).account.expect("an account");
    account.entries().filter(|entry| entry.verdict == verdict).map(|entry| entry.path.clone()).collect()
}

/// A spoiled arm whose only note or refusal is at `path`, with `word` in its reason.
fn assert_only(text: &str, verdict: Verdict, path: &str, word: &str) {
    assert_eq!(codes(text), Vec::<&str>::new());
    assert_eq!(paths(text, verdict), [path]);
    let other = if verdict == Verdict::Note { Verdict::Refused } else { Verdict::Note };
    assert_eq!(paths(text, other), Vec::<String>::new());
    let reason = entry(text, path).reason;
    assert!(reason.contains(word), "{reason}");
}

/// Numbers of the file arrive as they are written, defaults are URDF's, and order is the file's.
#[test]
fn the_arm_is_read_as_written() {
    let arm = Description::parse("arm.urdf", ARM.as_bytes()).expect("a valid file");
    assert_eq!((arm.robot.as_str(), arm.root.as_str(), arm.file.as_str()), ("arm", "base", "arm.urdf"));
    let names: Vec<&str> = arm.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["base", "upper", "fore", "wrist", "tool"]);
    let kinds: Vec<JointKind> = arm.joints.iter().map(|joint| joint.kind).collect();
    assert_eq!(kinds, [JointKind::Revolute, JointKind::Prismatic, JointKind::Continuous, JointKind::Fixed]);
    let upper = Inertial {
        mass: 2.0,
        center_of_mass: [0.0, 0.0, 0.1],
        rpy: [0.0, 0.1, 0.0],
        inertia: [0.02, 0.001, 0.0, 0.02, 0.0, 0.01],
    };
    assert_eq!(arm.link("upper").expect("upper").inertial, Some(upper));
    assert_eq!(arm.link("base").expect("base").inertial, None);
    let shoulder = arm.joint("shoulder").expect("shoulder");
    assert_eq!(
        (shoulder.xyz, shoulder.rpy, shoulder.axis),
        ([0.0, 0.0, 0.3], [0.0, 0.0, 1.5], [0.0, 0.0, 1.0])
    );
    assert_eq!(
        (shoulder.damping, shoulder.friction, shoulder.line),
        (0.7, 0.2, line_of(ARM, "<joint name=\"sh"))
    );
    let limit = Limit { lower: -1.5, upper: 2.0, effort: Some(30.0), velocity: Some(3.0) };
    assert_eq!((shoulder.limit, shoulder.bounds()), (Some(limit), Some((-1.5, 2.0))));
    assert_eq!(arm.joint("spin").expect("spin").bounds(), None);
    // SHA-256 of the bytes, by another program.
    assert_eq!(
        Description::parse("e", b"<robot><link name='a'/></robot>").expect("valid").sha256,
        SMALL_SHA256
    );
}

const SMALL_SHA256: &str = "9ddb481e80af08ec414c42be050d553f6c9de26e3038a0dc7ad6263304253d2d";

/// An inertial without `<origin>` stands at the link's origin, unturned.
#[test]
fn an_inertial_without_origin_stands_at_the_origin() {
    let arm = Description::parse("arm.urdf", ARM.as_bytes()).expect("a valid file");
    let fore = arm.link("fore").and_then(|link| link.inertial).expect("an inertial");
    assert_eq!((fore.center_of_mass, fore.rpy), ([0.0; 3], [0.0; 3]));
}

/// Both readers agree on the whole arm, 5 links and 4 joints, and it is said where the second was not asked: it stops at
/// a bad number in a shape, and what holds undefined things is passed over.
#[test]
fn the_second_reader_agrees() {
    let plain = spoil(ARM, "0 foo 0", "0 0 0");
    let second = inspect(&plain).second_reading;
    assert_eq!((second.agreed, second.skipped.as_str()), (9, ""));
    let second = inspect(ARM).second_reading;
    assert!(second.agreed == 0 && second.skipped.contains("foo"), "{second:?}");
    let undefined = spoil(&plain, "damping=\"0.7\"", "damping=\"0.7\" K=\"7\"");
    assert_eq!(inspect(&undefined).second_reading.agreed, 8);
    // Names that the two XML parsers may spell differently, and elements only one of them sees, are no disagreement.
    let foreign = "<link name=\"tool\"/><link xmlns=\"urn:x\" name=\"base\"><inertial><mass value=\"3\"/>\
        <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>";
    for text in
        [plain.replace("\"fore\"", "\"fo&#9;r&amp;e\""), spoil(&plain, "<link name=\"tool\"/>", foreign)]
    {
        assert_eq!(codes(&text), Vec::<&str>::new());
    }
}

/// Each element and attribute of the fixtures has one entry: counted by roxmltree's walk, and again as `<name` and
/// `="` in the text (the fixtures have no comments, no text with those signs, and only `xmlns` beside attributes).
#[test]
fn the_account_is_complete() {
    for text in [ARM, REFUSED, TRANSMISSIONS] {
        let account = inspect(text).account.expect("an account");
        let doc = roxmltree::Document::parse(text).expect("XML");
        let elements = doc.descendants().filter(|node| node.is_element());
        let attributes: usize = elements.clone().map(|node| node.attributes().len()).sum();
        assert_eq!(account.elements.len(), elements.count());
        assert_eq!(account.attributes.len(), attributes);
        let body = text.split_once("?>").expect("a declaration").1;
        let opened = body.matches('<').count() - body.matches("</").count();
        assert_eq!(account.elements.len(), opened);
        assert_eq!(account.attributes.len(), body.matches("=\"").count() - body.matches("xmlns").count());
        let mut paths: Vec<&str> = account.entries().map(|entry| entry.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), account.entries().count(), "paths are unique");
        let counts = account.counts();
        let sum = counts.used + counts.not_used + counts.refused + counts.note;
        assert_eq!(sum, account.entries().count());
    }
}

/// The arm has nothing to remark, and what has no effect is so with all inside it.
#[test]
fn what_has_no_effect_is_not_used() {
    assert_eq!(paths(ARM, Verdict::Refused), Vec::<String>::new());
    assert_eq!(paths(ARM, Verdict::Note), Vec::<String>::new());
    for path in [
        "material[grey]",
        "material[grey]/color@rgba",
        "link[base]/visual",
        "link[base]/visual[2]",
        "link[base]/visual[2]/geometry/sphere@radius",
        "link[upper]/collision/origin@xyz",
        "joint[shoulder]/safety_controller@k_velocity",
        "joint[shoulder]/calibration",
        "transmission[shoulder_gear]/actuator/mechanicalReduction",
        "robot/gazebo/static",
    ] {
        assert_eq!(entry(ARM, path).verdict, Verdict::NotUsed, "{path}");
    }
    for path in ["robot", "robot@name", "link[upper]/inertial/mass@value", "joint[shoulder]/dynamics@damping"]
    {
        assert_eq!(entry(ARM, path).verdict, Verdict::Used, "{path}");
    }
    let inside = entry(ARM, "link[base]/visual/geometry");
    assert!(inside.reason.contains("link[base]/visual"), "{}", inside.reason);
}

/// A loop that closes inside `<gazebo>` is said to be lost.
#[test]
fn a_lost_loop_is_said() {
    let text = spoil(ARM, "<static>true</static>", "<joint name=\"closure\" type=\"revolute\"/>");
    let gazebo = entry(&text, "robot/gazebo");
    assert!(gazebo.verdict == Verdict::NotUsed && gazebo.reason.contains("loop"), "{}", gazebo.reason);
    assert!(!entry(ARM, "robot/gazebo").reason.contains("loop"));
}

/// Places are lines and columns in characters, from 1, whatever precedes.
#[test]
fn places_count_lines_and_characters() {
    let text = "<robot name='é'>\r\n  <!-- ü --><link name='a' x='1'/></robot>";
    let link = entry(text, "link[a]");
    assert_eq!((link.line, link.column), (2, 13));
    let x = entry(text, "link[a]@x");
    assert_eq!((x.line, x.column, x.verdict), (2, 28, Verdict::Refused));
    let text = "<robot name='r'>\r\n\r\n  words<link name='a'/></robot>";
    let words = entry(text, "robot/text()");
    assert_eq!((words.line, words.column), (3, 3));
}

/// Every error, each by spoiling one thing, with its code and the line of the spoiled place.
#[test]
fn each_spoiled_thing_has_its_error() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"nan\"/>", "value=\"nan\""),
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"inf\"/>", "value=\"inf\""),
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"1,5\"/>", "value=\"1,5\""),
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"1e999\"/>", "value=\"1e999\""),
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"0x10\"/>", "value=\"0x10\""),
        ("not_a_number", "<mass value=\"2\"/>", "<mass value=\"2\u{a0}\"/>", "value=\"2\u{a0}\""),
        ("wrong_count", "<mass value=\"2\"/>", "<mass value=\"\"/>", "value=\"\""),
        ("wrong_count", "<mass value=\"2\"/>", "<mass value=\"2 3\"/>", "value=\"2 3\""),
        ("not_a_number", "xyz=\"0 0 0.3\"", "xyz=\"0 foo 0 1\"", "0 foo 0 1"),
        ("not_a_number", "rpy=\"0 0 1.5\"", "rpy=\"0 0 ${pi}\"", "${pi}"),
        ("wrong_count", "xyz=\"0 0 0.3\"", "xyz=\"0 0.3\"", "xyz=\"0 0.3\""),
        ("wrong_count", "xyz=\"0 0 0.3\"", "xyz=\"0 0 0 0.3\"", "xyz=\"0 0 0 0.3\""),
        ("not_a_number", "lower=\"-1.5\"", "lower=\"-1.5rad\"", "-1.5rad"),
        ("not_a_number", "friction=\"0.2\"", "friction=\"NaN\"", "NaN"),
        ("not_a_number", "effort=\"5\"", "effort=\"infinity\"", "infinity"),
        ("duplicate_joint", "<joint name=\"reach\"", "<joint name=\"shoulder\"", "type=\"prismatic\""),
        ("unknown_link", "<parent link=\"wrist\"/>", "<parent link=\"wirst\"/>", "wirst"),
        ("missing_attribute", "<link name=\"tool\"/>", "<link name=\"tool\"/><link/>", "<link/>"),
        (
            "missing_attribute",
            "<link name=\"tool\"/>",
            "<link name=\"tool\"/><link name=\" \"/>",
            "<link name=\" \"/>",
        ),
        ("missing_attribute", " type=\"fixed\"", "", "<joint name=\"flange\""),
        ("several_roots", "<link name=\"tool\"/>", "<link name=\"tool\"/><link name=\"loose\"/>", "<robot"),
    ];
    for (code, from, to, place) in cases {
        let text = spoil(ARM, from, to);
        let errors = inspect(&text).errors;
        let fault =
            errors.iter().find(|fault| fault.code == *code).unwrap_or_else(|| panic!("{code}: {errors:?}"));
        assert_eq!(fault.line, line_of(&text, place), "{code} {to}");
        assert!(fault.column > 0 && !fault.found.is_empty() && !fault.fix.is_empty());
        // A joint that cannot be read leaves its child without a parent, and nothing else may follow.
        let others = errors.iter().filter(|fault| fault.code != *code && fault.code != "several_roots");
        assert_eq!(others.count(), 0, "{errors:?}");
        assert!(matches!(Description::parse("t", text.as_bytes()), Err(Error::Description { .. })));
    }
}

/// Faults of the tree, each in the smallest robot that has it.
#[test]
fn the_graph_is_checked() {
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='fixed'><parent link='{parent}'/><child link='{child}'/></joint>\n"
        )
    };
    let links = "<robot name='r'>\n<link name='a'/><link name='b'/><link name='c'/>\n";
    let robot = |joints: &[(&str, &str, &str)]| {
        let joints: String = joints.iter().map(|(name, parent, child)| joint(name, parent, child)).collect();
        format!("{links}{joints}</robot>")
    };
    let good = robot(&[("1", "a", "b"), ("2", "b", "c")]);
    assert_eq!(codes(&good), Vec::<&str>::new());

    let two_parents = only_error(&robot(&[("1", "a", "b"), ("2", "b", "c"), ("3", "a", "c")]));
    assert_eq!((two_parents.code, two_parents.line), ("two_parents", 5));
    let circle = only_error(&robot(&[("1", "b", "c"), ("2", "c", "b")]));
    assert_eq!((circle.code, circle.line), ("loop", 3));
    assert!(circle.found.contains("`b`") && circle.found.contains("`c`") && !circle.found.contains("`a`"));
    let all = robot(&[("1", "a", "b"), ("2", "b", "c"), ("3", "c", "a")]);
    assert_eq!(codes(&all), ["no_root", "loop"]);
    let own = robot(&[("1", "a", "b"), ("2", "b", "c"), ("3", "a", "a")]);
    assert_eq!(codes(&own), ["self_loop"]);
    let roots = only_error(&robot(&[("1", "a", "b")]));
    assert_eq!(roots.code, "several_roots");
    assert!(roots.found.contains("`a`, `c`"), "{}", roots.found);
    let twice = spoil(&good, "<link name='c'/>", "<link name='c'/>\n<link name='c'/>");
    let twice = only_error(&twice);
    assert_eq!((twice.code, twice.line), ("duplicate_link", 3));
    let childless = spoil(&good, "<child link='c'/>", "");
    assert_eq!(codes(&childless), ["several_roots", "missing_element"]);
    let nameless = spoil(&good, "<child link='c'/>", "<child/>");
    assert_eq!(codes(&nameless), ["several_roots", "missing_attribute"]);
    assert_eq!(only_error("<robot name='r'/>").code, "no_root");
}

/// Every fault is reported, not only the first.
#[test]
fn all_errors_are_collected() {
    let text = spoil(ARM, "<mass value=\"2\"/>", "<mass value=\"two\"/>");
    let text = spoil(&text, "<joint name=\"reach\"", "<joint name=\"shoulder\"");
    let text = spoil(&text, "<parent link=\"wrist\"/>", "<parent link=\"nowhere\"/>");
    assert_eq!(codes(&text), ["not_a_number", "duplicate_joint", "unknown_link"]);
    let Err(Error::Description { faults, .. }) = Description::parse("t", text.as_bytes()) else {
        panic!("three errors")
    };
    assert_eq!(faults.len(), 3);
    assert!(inspect(&text).account.is_some(), "the account is there with errors");
}

/// Files that are not XML, not text or not a robot say so.
#[test]
fn what_is_no_robot_file_says_so() {
    let code = |bytes: &[u8]| {
        let inspection = Inspection::parse("t", bytes);
        assert_eq!(inspection.errors.len(), 1, "{:?}", inspection.errors);
        inspection.errors[0].clone()
    };
    assert_eq!(code(b"").code, "empty_file");
    assert_eq!(code(b"\xef\xbb\xbf \n").code, "empty_file");
    assert_eq!(code(b"monkeys").code, "not_xml");
    assert_eq!(code(b"<robot>").code, "not_xml");
    let closed = code(b"<robot>\n<link name='a'></robot>");
    assert_eq!((closed.code, closed.line), ("not_xml", 2));
    let prefix = code(b"<robot>\n <gz:thing/></robot>");
    assert_eq!((prefix.code, prefix.line, prefix.column), ("not_xml", 2, 3));
    assert!(prefix.found.contains("`gz`"), "{}", prefix.found);
    let sdf = code(b"<sdf><model/></sdf>");
    assert_eq!((sdf.code, sdf.line, sdf.column), ("no_robot", 1, 1));
    assert_eq!(code(b"<p:robot xmlns:p='urn:x'/>").code, "no_robot");
    let utf16: Vec<u8> = "<robot/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xff, 0xfe], utf16.as_slice()].concat();
    for utf16 in [utf16, with_mark] {
        let utf16 = code(&utf16);
        assert!(utf16.code == "not_utf8" && utf16.found.contains("UTF-16"), "{utf16}");
    }
    let latin = code(b"<robot>\n<!-- caf\xe9 --></robot>");
    assert_eq!((latin.code, latin.line, latin.column), ("not_utf8", 2, 9));
    let entities = b"<!DOCTYPE r [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]><robot name='&c;'/>";
    let entities = code(entities);
    assert!(entities.code == "not_xml" && entities.found.contains("DOCTYPE"), "{entities}");
    assert!(matches!(Inspection::read("no/such/file.urdf"), Err(Error::Io { .. })));
}

/// Neither depth nor size runs out of stack or memory.
#[test]
fn bombs_are_errors() {
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert_eq!(codes(&deep), ["too_deep"]);
    let in_gazebo =
        format!("<robot><gazebo>{}{}</gazebo></robot>", "<a>".repeat(50_000), "</a>".repeat(50_000));
    assert_eq!(codes(&in_gazebo), ["too_deep"]);
    let long = format!("<robot><link name='{}'>{}</link></robot>", "n".repeat(1 << 20), "<a/>".repeat(1000));
    assert_eq!(codes(&long), ["too_large"]);
    assert_eq!(Inspection::parse("t", &vec![b' '; (64 << 20) + 1]).errors[0].code, "too_large");
    // A line of a megabyte costs no more than many lines.
    let wide = format!("<robot name='é'>{}</robot>", "<link name='a'/>".repeat(30_000));
    assert_eq!(codes(&wide), vec!["duplicate_link"; 29_999]);
}

/// Every refusal of a value, each by spoiling one thing of the arm.
#[test]
fn each_refusal_is_made() {
    let cases = [
        ("<mass value=\"2\"/>", "<mass value=\"-2\"/>", "link[upper]/inertial/mass", "negative"),
        ("<mass value=\"2\"/>", "<mass/>", "link[upper]/inertial/mass", "no `value`"),
        ("<mass value=\"2\"/>", "", "link[upper]/inertial", "no <mass>"),
        ("ixx=\"0.001\"", "ixx=\"-0.001\"", "link[wrist]/inertial/inertia", "semidefinite"),
        ("ixy=\"0.001\"", "ixy=\"0.5\"", "link[upper]/inertial/inertia", "semidefinite"),
        ("ixx=\"0.001\" ", "", "link[wrist]/inertial/inertia", "no `ixx`"),
        ("lower=\"-1.5\"", "lower=\"2.5\"", "joint[shoulder]/limit", "above"),
        ("type=\"continuous\"", "type=\"planar\"", "joint[spin]", "planar"),
        ("type=\"continuous\"", "type=\"floating\"", "joint[spin]", "floating"),
        ("type=\"continuous\"", "type=\"screw\"", "joint[spin]", "does not define"),
        ("type=\"continuous\"", "type=\"Continuous\"", "joint[spin]", "does not define"),
        ("<link name=\"tool\"/>", "<link name=\"tool\"/><frame/>", "robot/frame[1]", "<frame>"),
        ("<link name=\"tool\"/>", "<link name=\"tool\"/><visual/>", "robot/visual[1]", "<visual>"),
        ("damping=\"0.7\"", "damping=\"0.7\" K=\"7\"", "joint[shoulder]/dynamics@K", "`K`"),
        ("\"arm\" version=\"1.0\"", "\"arm\" version=\"1.2\"", "robot@version", "`1.2`"),
    ];
    for (from, to, path, word) in cases {
        let text = spoil(ARM, from, to);
        assert_eq!(codes(&text), Vec::<&str>::new(), "{to}");
        assert_eq!(paths(&text, Verdict::Refused), [path], "{to}");
        let refused = entry(&text, path);
        assert!(refused.reason.contains(word), "{}", refused.reason);
        let arm = Description::parse("t", text.as_bytes()).expect("refused is no error");
        let Err(Error::Refused { faults, .. }) = arm.acknowledge(&[]) else { panic!("{path} is refused") };
        assert_eq!((faults.len(), faults[0].line), (1, refused.line));
        assert!(faults[0].found.contains(path) && !faults[0].fix.is_empty());
    }
    let zero = spoil(ARM, "<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>");
    assert_eq!(paths(&zero, Verdict::Refused), ["joint[spin]/axis", "joint[spin]/axis@xyz"]);
}

/// A mimic is refused whatever it follows, and the reason says what is wrong with that.
#[test]
fn a_mimic_is_refused_by_name() {
    let cases = [
        ("joint=\"shoulder\" multiplier=\"2\"", "follows `shoulder`;"),
        ("joint=\"sholder\"", "does not exist"),
        ("joint=\"flange\"", "fixed"),
        ("joint=\"spin\"", "itself"),
        ("", "no joint"),
    ];
    for (mimic, word) in cases {
        let text = spoil(ARM, "<axis xyz=\"0 1 0\"/>", &format!("<axis xyz=\"0 1 0\"/><mimic {mimic}/>"));
        let refused = entry(&text, "joint[spin]/mimic");
        assert_eq!(refused.verdict, Verdict::Refused);
        assert!(refused.reason.contains(word), "{}", refused.reason);
    }
    let chain = spoil(ARM, "<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><mimic joint=\"reach\"/>");
    let chain = spoil(&chain, "<axis xyz=\"1 0 0\"/>", "<axis xyz=\"1 0 0\"/><mimic joint=\"shoulder\"/>");
    assert!(entry(&chain, "joint[spin]/mimic").reason.contains("a mimic joint itself"));
    let text =
        spoil(ARM, "<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><mimic joint=\"reach\" offset=\"x\"/>");
    assert_eq!(only_error(&text).code, "not_a_number");
}

/// Every note, each by spoiling one thing of the arm.
#[test]
fn each_note_is_made() {
    let cases = [
        ("<axis xyz=\"0 1 0\"/>", "", "joint[spin]", "no axis"),
        ("<axis xyz=\"0 1 0\"/>", "<axis/>", "joint[spin]/axis", "no axis"),
        ("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1.5 0\"/>", "joint[spin]/axis", "1.5"),
        (" effort=\"5\"", " effort=\"0\"", "joint[spin]/limit", "`effort` is not above zero"),
        (" effort=\"5\"", "", "joint[spin]/limit", "no `effort`"),
        (" velocity=\"10\"", " velocity=\"-1\"", "joint[spin]/limit", "`velocity` is not above zero"),
        ("upper=\"2\"", "upper=\"-1.5\"", "joint[shoulder]/limit", "lower equals upper"),
        (" lower=\"-1.5\"", "", "joint[shoulder]/limit", "no `lower`"),
        ("<limit effort=\"5\"", "<limit upper=\"1\" effort=\"5\"", "joint[spin]/limit", "continuous"),
        ("ixx=\"0.001\"", "ixx=\"0.0021\"", "link[wrist]/inertial/inertia", "triangle"),
        ("name=\"flange\"", "name=\"tool\"", "joint[tool]", "same name"),
        (" damping=\"0.7\" friction=\"0.2\"", "", "joint[shoulder]/dynamics", "neither"),
        (
            "<limit effort=\"5\" velocity=\"10\"/>",
            "<limit effort=\"5\"/>",
            "joint[spin]/limit",
            "no `velocity`",
        ),
        (" name=\"arm\"", "", "robot", "no name"),
    ];
    for (from, to, path, word) in cases {
        assert_only(&spoil(ARM, from, to), Verdict::Note, path, word);
    }
    // Without <limit> the joint is read, and a run will ask for bounds.
    let text = spoil(ARM, "<limit lower=\"0\" upper=\"0.4\" effort=\"100\" velocity=\"0.5\"/>", "");
    assert_only(&text, Verdict::Note, "joint[reach]", "no <limit>");
    // What is taken as not given is not given, and its attribute not used.
    let text = spoil(ARM, " effort=\"5\" velocity=\"10\"", " effort=\"0\" velocity=\"-1\" upper=\"1\"");
    let arm = Description::parse("t", text.as_bytes()).expect("no errors");
    let limit = arm.joint("spin").and_then(|joint| joint.limit).expect("a limit");
    assert_eq!((limit.effort, limit.velocity), (None, None));
    for name in ["effort", "velocity", "upper"] {
        assert_eq!(entry(&text, &format!("joint[spin]/limit@{name}")).verdict, Verdict::NotUsed);
    }
    // Two remarks on one element make one entry.
    let text = spoil(ARM, "<limit effort=\"5\" velocity=\"10\"/>", "<limit lower=\"0\"/>");
    let both = entry(&text, "joint[spin]/limit").reason;
    assert!(both.starts_with("read; ") && both.contains("continuous") && both.contains("`effort`"), "{both}");
}

/// A damping written as a child, SDF's way: the child is refused and the missing attribute remarked.
#[test]
fn a_damping_child_is_not_lost() {
    let to = "<dynamics><damping>100</damping></dynamics>";
    let text = spoil(ARM, "<dynamics damping=\"0.7\" friction=\"0.2\"/>", to);
    assert_eq!(paths(&text, Verdict::Refused), ["joint[shoulder]/dynamics/damping[1]"]);
    assert_eq!(paths(&text, Verdict::Note), ["joint[shoulder]/dynamics"]);
}

/// What a fixed joint carries has no effect, and is no reason to refuse; its numbers are still numbers.
#[test]
fn a_fixed_joint_does_not_move() {
    let more = "<child link=\"tool\"/><axis xyz=\"0 0 0\"/><limit lower=\"1\" upper=\"0\"/><dynamics damping=\"1\"/>";
    let text = spoil(ARM, "<child link=\"tool\"/>", more);
    assert_eq!(paths(&text, Verdict::Refused), Vec::<String>::new());
    assert_eq!(paths(&text, Verdict::Note), Vec::<String>::new());
    for path in ["joint[flange]/axis@xyz", "joint[flange]/limit", "joint[flange]/dynamics@damping"] {
        assert_eq!(entry(&text, path).verdict, Verdict::NotUsed, "{path}");
    }
    let text = spoil(ARM, "<child link=\"tool\"/>", "<child link=\"tool\"/><axis xzy=\"0 0 1\"/>");
    let misspelt = entry(&text, "joint[flange]/axis@xzy");
    assert_eq!(misspelt.reason, "URDF does not define `xzy` of <axis>");
    let text = spoil(ARM, "<child link=\"tool\"/>", "<child link=\"tool\"/><axis xyz=\"a b c\"/>");
    assert_eq!(only_error(&text).code, "not_a_number");
}

/// All 16 subsets of the attributes of `<limit>`: none is an error, each absence is remarked, values default.
#[test]
fn any_subset_of_limits_is_read() {
    let all = [("lower", "-1"), ("upper", "2"), ("effort", "3"), ("velocity", "4")];
    let from = "lower=\"0\" upper=\"0.4\" effort=\"100\" velocity=\"0.5\"";
    for subset in 0..16 {
        let given: Vec<_> = (0..4).filter(|bit| subset >> bit & 1 == 1).map(|bit| all[bit]).collect();
        let written: String = given.iter().map(|(name, value)| format!("{name}=\"{value}\" ")).collect();
        let text = spoil(ARM, from, &written);
        let arm = Description::parse("t", text.as_bytes()).expect("any subset is read");
        let value = |name| {
            given.iter().find(|(given, _)| *given == name).map(|(_, value)| value.parse().expect("f64"))
        };
        let expected = Limit {
            lower: value("lower").unwrap_or(0.0),
            upper: value("upper").unwrap_or(0.0),
            effort: value("effort"),
            velocity: value("velocity"),
        };
        assert_eq!(arm.joint("reach").and_then(|joint| joint.limit), Some(expected));
        let limit = entry(&text, "joint[reach]/limit");
        assert_eq!(limit.verdict, if subset == 15 { Verdict::Used } else { Verdict::Note });
        for (name, _) in all {
            let absent = !given.iter().any(|(given, _)| *given == name);
            assert_eq!(limit.reason.contains(&format!("no `{name}`")), absent, "{}", limit.reason);
        }
    }
}

/// A link may have an impossible inertia where the moving body it is fixed into has not. The tool's 0.1 kg a distance d
/// from the wrist's 0.5 kg adds 0.1 · 0.5 / 0.6 · d² across d, 2.1e-4 at 0.05 m and 3.3e-3 at 0.2 m; the wrist has 1e-3.
#[test]
fn an_inertia_is_judged_with_its_body() {
    let tool = "<link name=\"tool\"><inertial><mass value=\"0.1\"/>\
        <inertia ixx=\"-0.000001\" ixy=\"0\" ixz=\"0\" iyy=\"0.001\" iyz=\"0\" izz=\"0.001\"/></inertial></link>";
    let text = spoil(ARM, "<link name=\"tool\"/>", tool);
    assert_only(&text, Verdict::Note, "link[tool]/inertial/inertia", "by itself");
    // Alone on a moving joint it is refused.
    let alone = spoil(&text, "type=\"fixed\"", "type=\"continuous\"");
    assert_eq!(paths(&alone, Verdict::Refused), ["link[tool]/inertial/inertia"]);
    // And the frames count: the shift is along x for a joint turned by a quarter, where it does not help ixx.
    let tool = tool.replace("-0.000001", "-0.0013");
    let heavy = spoil(ARM, "<link name=\"tool\"/>", &tool);
    assert_eq!(paths(&heavy, Verdict::Refused), ["link[tool]/inertial/inertia"]);
    let turned = spoil(&heavy, "<origin xyz=\"0 0 0.05\"/>", "<origin xyz=\"0 0 0.2\"/>");
    assert_eq!(paths(&turned, Verdict::Refused), Vec::<String>::new());
    let turned = spoil(&heavy, "<origin xyz=\"0 0 0.05\"/>", "<origin xyz=\"0.2 0 0\"/>");
    assert_eq!(paths(&turned, Verdict::Refused), ["link[tool]/inertial/inertia"]);
    let about_z = spoil(
        &turned,
        "<origin xyz=\"0.2 0 0\"/>",
        "<origin xyz=\"0.2 0 0\" rpy=\"0 0 1.5707963267948966\"/>",
    );
    assert_eq!(paths(&about_z, Verdict::Refused), Vec::<String>::new());
}

/// Numbers whose products leave the finite ones are refused, not looped over.
#[test]
fn huge_numbers_are_judged() {
    let text = spoil(ARM, "<mass value=\"0.5\"/>", "<mass value=\"1e308\"/>");
    let text = spoil(&text, "ixx=\"0.001\"", "ixx=\"-1e308\"");
    assert_eq!(paths(&text, Verdict::Refused), ["link[wrist]/inertial/inertia"]);
}

/// The root's single joint may float: that is the free base.
#[test]
fn a_floating_root_joint_is_the_free_base() {
    let text = "<robot name='r'><link name='world'/><link name='body'/>\
        <joint name='free' type='floating'><parent link='world'/><child link='body'/></joint></robot>";
    assert_only(text, Verdict::Note, "joint[free]", "free base");
    let two = text.replace(
        "</robot>",
        "<link name='b'/><joint name='f' type='floating'><parent link='world'/><child link='b'/></joint></robot>",
    );
    assert_eq!(paths(&two, Verdict::Refused), ["joint[free]", "joint[f]"]);
}

/// Byte order mark, line ends, default namespace and letters of any script are no trouble.
#[test]
fn dialects_of_text_are_read() {
    let plain = Description::parse("t", ARM.as_bytes()).expect("valid");
    let with_mark = [b"\xef\xbb\xbf", ARM.as_bytes()].concat();
    let crlf = ARM.replace('\n', "\r\n");
    let namespace = spoil(ARM, "<robot ", "<robot xmlns=\"http://www.ros.org\" ");
    for bytes in [with_mark.as_slice(), crlf.as_bytes(), namespace.as_bytes()] {
        let inspection = Inspection::parse("t", bytes);
        assert_eq!(inspection.errors, []);
        let read = inspection.description().expect("valid");
        assert_eq!((&read.links, &read.joints), (&plain.links, &plain.joints));
        assert_eq!(read.account, plain_account_with_names_of(&plain, &read));
    }
    let greek = ARM.replace("shoulder", "ώμος");
    assert_eq!(Description::parse("t", greek.as_bytes()).expect("valid").joints[0].name, "ώμος");
    assert_eq!(entry(&greek, "joint[ώμος]/axis").verdict, Verdict::Used);
}

/// The plain account with the other's columns: a default namespace moves the rest of its line.
fn plain_account_with_names_of(plain: &Description, other: &Description) -> articula::description::Account {
    let mut account = plain.account.clone();
    for (ours, theirs) in account.attributes.iter_mut().zip(&other.account.attributes) {
        ours.column = theirs.column;
    }
    account
}

/// Elements and attributes of another namespace are refused, with what is inside them, and counted among their kind.
#[test]
fn other_namespaces_are_refused() {
    let account = inspect(REFUSED).account.expect("an account");
    let topmost: Vec<&str> = account.refused().map(|entry| entry.path.as_str()).collect();
    assert_eq!(
        topmost,
        [
            "link[base]@paint",
            "link[base]/inertial/mass",
            "link[base]/contact[1]",
            "link[a]/inertial/inertia",
            "link[c]/inertial",
            "robot/filter[1]",
            "robot/filter[2]",
            "joint[first]/limit",
            "joint[first]/limit@jerk",
            "joint[first]/dynamics@D",
            "joint[second]/limit[2]",
            "joint[second]/mimic",
            "joint[third]/text()",
        ]
    );
    let inside = account.entry("robot/filter[1]/member@link").expect("an entry");
    assert_eq!(inside.verdict, Verdict::Refused);
    assert!(inside.reason.contains("robot/filter[1]"));
    // A nested default namespace is another one too.
    let text =
        spoil(ARM, "<link name=\"tool\"/>", "<link name=\"tool\"/><link xmlns=\"urn:x\" name=\"more\"/>");
    assert_eq!(paths(&text, Verdict::Refused), ["robot/link[1]", "robot/link[1]@name"]);
}

/// An attribute of another namespace is not URDF's of the same name.
#[test]
fn a_foreign_attribute_is_not_ours() {
    let text = spoil(ARM, "damping=\"0.7\"", "xmlns:sim=\"urn:x\" sim:damping=\"9\"");
    assert_eq!(paths(&text, Verdict::Refused), ["joint[shoulder]/dynamics@damping"]);
    let arm = Description::parse("t", text.as_bytes()).expect("no errors");
    assert_eq!(arm.joint("shoulder").expect("shoulder").damping, 0.0);
    // Nor is an element: a foreign <parent> before URDF's is not the joint's.
    let parent = "<x:parent xmlns:x=\"urn:x\" link=\"base\"/><parent link=\"wrist\"/>";
    let text = spoil(ARM, "<parent link=\"wrist\"/>", parent);
    let arm = Description::parse("t", text.as_bytes()).expect("no errors");
    assert_eq!(arm.joint("flange").expect("flange").parent, "wrist");
    let text = spoil(
        ARM,
        "<mechanicalReduction>",
        "<x:mechanicalReduction xmlns:x=\"urn:x\">9</x:mechanicalReduction><mechanicalReduction>",
    );
    let gear = &Description::parse("t", text.as_bytes()).expect("no errors").transmissions[0];
    assert_eq!((gear.reduction, gear.problems.len()), (Some(50.0), 1), "{:?}", gear.problems);
}

/// Paths stay unique for names made to collide with them.
#[test]
fn paths_are_unique_for_hostile_names() {
    let text = "<robot name='r'><link name='x'/><link name='x][2'/><link name='x'/><link name='x]/y[1'/>\
        <link name='z'><y/><y/></link><link name='z]/y[2'/></robot>";
    let account = inspect(text).account.expect("an account");
    let paths: Vec<&str> = account.elements.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "robot",
            "link[x]",
            "link[x][2]",
            "link[x][3]",
            "link[x]/y[1]",
            "link[z]",
            "link[z]/y[1]",
            "link[z]/y[2]",
            "link[z]/y[2][2]"
        ]
    );
}

fn acknowledgement(element: &str) -> Acknowledgement {
    Acknowledgement { element: element.into(), reason: "a test".into() }
}

/// Acknowledging answers for exactly what it names, and for what is inside it.
#[test]
fn what_is_acknowledged_passes() {
    let robot = Description::parse("t", REFUSED.as_bytes()).expect("no errors");
    let all: Vec<String> = robot.account.refused().map(|entry| entry.path.clone()).collect();
    let list: Vec<Acknowledgement> = all.iter().map(|path| acknowledgement(path)).collect();
    let passed = robot.acknowledge(&list).expect("all is acknowledged");
    assert_eq!(passed.acknowledged.len(), all.len());
    assert!(passed.description.joints.iter().all(|joint| joint.mimic.is_none()), "a mimic is a free joint");
    assert!(robot.joint("second").expect("second").mimic.is_some());
    assert_eq!(
        passed.description.joint("first").expect("first").bounds(),
        None,
        "lower above upper: no stops"
    );
    assert_eq!(robot.acknowledge_all("a test").expect("all").acknowledged, passed.acknowledged);
    for left_out in 0..list.len() {
        let mut list = list.clone();
        let missing = list.remove(left_out);
        let Err(Error::Refused { faults, .. }) = robot.acknowledge(&list) else { panic!("one is left") };
        assert_eq!(faults.len(), 1);
        assert!(faults[0].found.starts_with(&missing.element) && faults[0].fix.contains("--acknowledge"));
    }
}

/// Wrong acknowledgements are errors that help.
#[test]
fn acknowledgements_are_checked() {
    let robot = Description::parse("t", REFUSED.as_bytes()).expect("no errors");
    let nearest = |path: &str| match robot.acknowledge(&[acknowledgement(path)]) {
        Err(Error::UnknownName { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("joint[second]/mimik"), Some("joint[second]/mimic".into()));
    assert_eq!(nearest("joint[second]/axis"), Some("joint[second]/mimic".into()), "used, not refused");
    let inside = robot.acknowledge(&[acknowledgement("robot/filter[1]/member")]);
    assert!(matches!(inside, Err(Error::Value { expected, .. }) if expected.contains("robot/filter[1]")));
    let silent = Acknowledgement { element: "joint[second]/mimic".into(), reason: " ".into() };
    assert!(matches!(robot.acknowledge(&[silent]), Err(Error::Value { .. })));
    assert!(matches!(robot.acknowledge_all(""), Err(Error::Value { .. })));
    // `X` and `X[1]` are the same element.
    let both = ["link[base]/contact", "joint[second]/mimic[1]"];
    for path in both {
        let Err(Error::Refused { faults, .. }) = robot.acknowledge(&[acknowledgement(path)]) else {
            panic!("{path}")
        };
        assert_eq!(faults.len(), 12, "{path}");
    }
    let clean = Description::parse("t", ARM.as_bytes()).expect("valid");
    assert!(clean.acknowledge(&[]).is_ok() && clean.acknowledge_all("nothing to say").is_ok());
    assert!(matches!(clean.acknowledge(&[acknowledgement("joint[spin]")]), Err(Error::UnknownName { .. })));
}

/// What would become another mechanism cannot be acknowledged.
#[test]
fn some_refusals_have_no_answer() {
    let cases = [
        ("type=\"continuous\"", "type=\"planar\"", "joint[spin]"),
        ("type=\"continuous\"", "type=\"floating\"", "joint[spin]"),
        ("type=\"continuous\"", "type=\"screw\"", "joint[spin]"),
        ("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>", "joint[spin]/axis"),
    ];
    for (from, to, path) in cases {
        let robot = Description::parse("t", spoil(ARM, from, to).as_bytes()).expect("no errors");
        for answer in [robot.acknowledge_all("please"), robot.acknowledge(&[acknowledgement(path)])] {
            let refused: Vec<String> = match answer {
                Err(Error::Refused { faults, .. }) => faults.iter().map(|fault| fault.fix.clone()).collect(),
                other => panic!("{path}: {other:?}"),
            };
            assert!(refused.iter().any(|fix| fix.contains("cannot be acknowledged")), "{path}: {refused:?}");
        }
    }
}

/// `PATH=REASON` splits at the first `=`.
#[test]
fn an_acknowledgement_is_parsed() {
    let parsed = Acknowledgement::parse("joint[a]/mimic = held shut, q=0").expect("a path and a reason");
    assert_eq!((parsed.element.as_str(), parsed.reason.as_str()), ("joint[a]/mimic", "held shut, q=0"));
    for wrong in ["joint[a]/mimic", "joint[a]/mimic=", "=because", "a= "] {
        assert!(matches!(Acknowledgement::parse(wrong), Err(Error::Value { .. })), "{wrong}");
    }
}

fn transmission<'a>(list: &'a [Transmission], name: &str) -> &'a Transmission {
    list.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no transmission {name}"))
}

/// Each dialect is read, and each thing wrong with a transmission is named.
#[test]
fn transmissions_are_read_and_judged() {
    let arm = Description::parse("t", ARM.as_bytes()).expect("valid");
    let gear = &arm.transmissions[0];
    assert_eq!((gear.reduction, gear.problems.len(), gear.is_simple()), (Some(50.0), 0, true));
    assert_eq!(
        (gear.joints.as_slice(), gear.actuators.as_slice()),
        (&["shoulder".into()][..], &["motor".into()][..])
    );

    let list = Description::parse("t", TRANSMISSIONS.as_bytes()).expect("no errors").transmissions;
    assert_eq!(list.len(), 13);
    for (name, reduction) in [("new", 50.0), ("old", -3.5), ("ros2", 2.0)] {
        let one = transmission(&list, name);
        assert_eq!((one.reduction, one.problems.as_slice()), (Some(reduction), &[][..]), "{name}");
    }
    for (name, word) in [
        ("lost", "no joint `nowhere`"),
        ("welded", "`weld` is fixed"),
        ("zero", "zero"),
        ("fifty", "`fifty` is not a number"),
        ("silent", "no reduction"),
        ("odd", "<compensator>"),
        ("foreign", "<rotor>"),
        ("pair", "couples joints"),
        ("", "no name"),
        ("typeless", "no type"),
    ] {
        let problems = &transmission(&list, name).problems;
        assert_eq!(problems.len(), 1, "{name}: {problems:?}");
        assert!(problems[0].contains(word), "{name}: {problems:?}");
    }
    // Two on one joint: both say so.
    let text = spoil(TRANSMISSIONS, "<joint name=\"j2\"/>", "<joint name=\"j1\"/>");
    let list = Description::parse("t", text.as_bytes()).expect("no errors").transmissions;
    let both =
        list.iter().filter(|one| one.problems.iter().any(|problem| problem.contains("has 2 transmissions")));
    assert_eq!(both.count(), 2);
    // A file of transmissions alone is no robot, but they are read.
    let alone = inspect("<robot name='r'><transmission name='t' type='SimpleTransmission'/></robot>");
    assert_eq!((alone.errors[0].code, alone.transmissions.len()), ("no_root", 1));
}

/// The document of `inspect --json` has the keys of the interface.
#[test]
fn the_json_has_its_shape() {
    let json = inspect(ARM).to_json();
    assert_eq!(json["schema"], "articula/inspect/1");
    for key in [
        "file",
        "sha256",
        "robot",
        "errors",
        "elements",
        "attributes",
        "counts",
        "joints",
        "links",
        "frames",
        "transmissions",
    ] {
        assert!(!json[key].is_null(), "{key}");
    }
    let element = &json["elements"][0];
    let keys: Vec<&String> = element.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["path", "line", "column", "verdict", "reason"]);
    assert_eq!(element["verdict"], "used");
    assert_eq!(json["counts"]["refused"], 0);
    let keys: Vec<&String> = json["joints"][0].as_object().expect("an object").keys().collect();
    let joint = [
        "name", "kind", "parent", "child", "axis", "lower", "upper", "effort", "velocity", "damping",
        "friction",
    ];
    assert_eq!(keys, joint);
    assert_eq!(json["joints"][0]["lower"], -1.5);
    assert!(json["joints"][2]["lower"].is_null());
    assert_eq!(
        (&json["links"][1]["mass"], &json["links"][0]["mass"]),
        (&2.0.into(), &serde_json::Value::Null)
    );
    assert_eq!(json["frames"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["transmissions"][0]["type"], "transmission_interface/SimpleTransmission");
    let broken = inspect("<robot").to_json();
    assert_eq!(
        (&broken["errors"][0]["code"], broken["elements"].as_array().map(Vec::len)),
        (&"not_xml".into(), Some(0))
    );
}

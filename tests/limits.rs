//! Claims: no file, however large, deep or strange, ends in memory, a stack overflow or a hang; each ends in a word that
//! says the limit and what to do. Every command here is given a minute, and is killed when it takes longer.

#![cfg(feature = "cli")]

use articula::description::{Description, Inspection};
use articula::experiment::Experiment;
use articula::input::limits;
use articula::model::Model;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs the command; one that hangs is killed and fails the test.
fn articula(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_articula"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let start = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("killed");
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("an end")
}

/// The message of bad input.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = articula(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    message
}

/// The single fault of a robot file, and its line.
fn fault(text: &str) -> (&'static str, String) {
    let start = Instant::now();
    let errors = Inspection::parse("t", text.as_bytes()).errors;
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(errors.len(), 1, "{errors:?}");
    (errors[0].code, errors[0].to_string())
}

/// The parser compares each attribute of an element with all before it, and copies all namespaces for each that is
/// added; depth costs the account. Half a million of each would take minutes or gigabytes.
#[test]
fn shapes_of_xml_that_choke_a_parser_are_refused_before() {
    let many = |count: usize, piece: fn(usize) -> String| (0..count).map(piece).collect::<String>();
    let attributes = format!("<robot>\n<link name='a' {}/></robot>", many(500_000, |k| format!("a{k}='' ")));
    let (code, message) = fault(&attributes);
    assert!(
        code == "too_large" && message.contains("2:1: found attributes of one element: 257"),
        "{message}"
    );
    let spread = many(limits::ROBOT_NAMESPACES + 1, |k| format!("<a xmlns:n{k}='u{k}'/>\n"));
    let (code, message) = fault(&format!("<robot>{spread}</robot>"));
    assert!(
        code == "too_large" && message.starts_with("257:1: ") && message.contains("at most 256"),
        "{message}"
    );
    let nested = many(100_000, |k| format!("<a xmlns:n{k}='u{k}'>"));
    assert_eq!(fault(&format!("<robot>{nested}")).0, "too_deep");
    let (code, message) = fault(&format!("<robot>{}", "<a>\n".repeat(1_000_000)));
    assert!(code == "too_deep" && message.starts_with("100:1: found elements nested 101 deep"), "{message}");
    // As many as allowed are read, and what only looks like more is not counted.
    let most = many(limits::ROBOT_ATTRIBUTES - 1, |k| format!("a{k}='' "));
    assert!(
        Inspection::parse("t", format!("<robot><link name='l' {most}/></robot>").as_bytes())
            .errors
            .is_empty()
    );
    let quoted = format!(
        "<robot><link name='{}'/><!-- {} --></robot>",
        "&lt;a b=\"\">".repeat(60),
        "<a b=''>".repeat(500)
    );
    assert_eq!(Inspection::parse("t", quoted.as_bytes()).errors, []);
}

/// Every `=` looked for its name back to the last white space: 400 kB of them took more than a minute.
#[test]
fn a_tag_of_equals_signs_takes_no_time() {
    let start = Instant::now();
    let (code, message) = fault(&format!("<robot>\n<a {}/></robot>", "=".repeat(1_000_000)));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(code == "too_large" && message.starts_with("2:1: found attributes"), "{message}");
}

/// Each pair of transmissions of one joint was looked at: 20 000 of them took minutes.
#[test]
fn many_transmissions_of_one_joint_take_no_time() {
    let one = "<transmission name='t'><type>SimpleTransmission</type><joint name='j'/></transmission>";
    let start = Instant::now();
    let text = format!("<robot name='r'><link name='l'/>{}</robot>", one.repeat(20_000));
    let found = Inspection::parse("t", text.as_bytes()).transmissions;
    assert!(found[0].problems.iter().any(|problem| problem.contains("has 20000 transmissions")));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Names stand in every column, message and path.
#[test]
fn names_are_bounded() {
    let named = |name: &str| format!("<robot name='r'><link name='{name}'/></robot>");
    let (code, message) = fault(&named(&"n".repeat(limits::NAME_BYTES + 1)));
    assert!(code == "long_name" && message.contains("1025 bytes") && message.len() < 400, "{message}");
    assert_eq!(Inspection::parse("t", named(&"n".repeat(limits::NAME_BYTES)).as_bytes()).errors, []);
    let long = "n".repeat(5000);
    let toml = format!("[time]\nstep = 1\nduration = 1\n[chain.{long}]\nrung = 1\n");
    let message =
        Experiment::parse("x.toml", Path::new(""), toml.as_bytes()).expect_err("refused").to_string();
    assert!(message.starts_with("x.toml:4:8: ") && message.contains("at most 1024"), "{message}");
    // What is unknown is named, not repeated to the end.
    let message = Experiment::parse("x.toml", Path::new(""), format!("{long} = 1").as_bytes());
    assert!(message.expect_err("refused").to_string().len() < 600);
}

fn chain(joints: usize) -> String {
    let mut robot = String::from("<robot name=\"chain\"><link name=\"l0\"/>");
    for k in 1..=joints {
        robot.push_str(&format!(
            "<link name=\"l{k}\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"1\"/><inertia ixx=\"0.01\" ixy=\"0\" \
             ixz=\"0\" iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"/></inertial></link><joint name=\"j{k}\" type=\"continuous\">\
             <parent link=\"l{}\"/><child link=\"l{k}\"/><axis xyz=\"0 1 0\"/></joint>\n",
            k - 1
        ));
    }
    robot + "</robot>"
}

/// Matrices grow with the square of the joints that move, answers with that and the states.
#[test]
fn joints_and_answers_are_bounded() {
    let machine = |joints: usize| {
        let robot = Description::parse("chain.urdf", chain(joints).as_bytes()).expect("a robot");
        Model::from_description(&robot.acknowledge(&[]).expect("nothing refused"))
    };
    let message = machine(limits::MOVING_JOINTS + 1).expect_err("too many").to_string();
    assert!(
        message.contains("chain.urdf") && message.contains("2049 joints") && message.contains("2048"),
        "{message}"
    );
    let robot = machine(200).expect("a machine");
    let states = format!("[{}]", ["{}"; 60].join(","));
    let message =
        articula::cli::answers(&robot, "s.json", states.as_bytes(), &[]).expect_err("too much").to_string();
    // A state of 200 joints and 201 frames: 6·200·201 + 6·200² + 13·201 + … ≈ 0.49 million numbers.
    assert!(message.starts_with("s.json: state 34: ") && message.contains("--quantities"), "{message}");
    let one =
        articula::cli::answers(&robot, "s.json", states.as_bytes(), &["bias".into()]).expect("one quantity");
    assert_eq!(one.as_array().map(Vec::len), Some(60));
}

/// Nesting and repetition in TOML, JSON and CSV.
#[test]
fn nesting_and_columns_are_bounded() {
    let parse = |text: &str| {
        Experiment::parse("x.toml", Path::new(""), text.as_bytes()).expect_err("refused").to_string()
    };
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{ a = ".repeat(100_000)),
        format!("a{} = 1", ".a".repeat(100_000)),
        format!("[a{}]", ".a".repeat(100_000)),
        (0..50_000).map(|k| format!("[a.b{k}]\n")).collect::<String>(),
    ] {
        let start = Instant::now();
        let message = parse(&text);
        assert!(message.starts_with("x.toml:"), "{message}");
        let deep = message.contains("nested too deep") && message.contains("at most 80");
        assert!(deep || message.contains("x.toml:1:2: found unknown key"), "{message}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?} {message}", start.elapsed());
    }
    let folder = scratch("columns");
    std::fs::copy(robot("pendulum"), folder.join("r.urdf")).expect("a robot");
    std::fs::write(
        folder.join("x.toml"),
        TOML.to_owned() + "[drive]\n\"arm.swing\" = { table = \"t.csv\", column = \"c\" }\n",
    )
    .expect("a file");
    let columns: String = (0..5000).map(|k| format!(",c{k}")).collect();
    std::fs::write(folder.join("t.csv"), format!("time{columns}\n")).expect("a file");
    let message = refused(&folder, &["run", "x.toml", "--out", "out"]);
    assert!(message.contains("t.csv:1:1: found 5001 columns, expected at most 4096"), "{message}");
}

fn robot(name: &str) -> String {
    format!("{}/tests/robots/{name}.urdf", env!("CARGO_MANIFEST_DIR"))
}

const TOML: &str = "[time]\nstep = 0.001\nduration = 0.01\n[chain.arm]\ndescription = \"r.urdf\"\nrung = \"dynamic\"\n\
                    initial_positions = [0.1]\n";

/// Every way a command is given a path, with what stands there: a folder, a FIFO nobody writes into, a device without
/// end, links in a circle, nothing, and a file past its limit.
#[cfg(unix)]
#[test]
fn only_plain_files_of_bounded_size_are_read() {
    let folder = scratch("special");
    std::fs::copy(robot("pendulum"), folder.join("r.urdf")).expect("a robot");
    std::fs::create_dir(folder.join("folder")).expect("a folder");
    let made = Command::new("mkfifo").arg(folder.join("fifo")).status().expect("mkfifo");
    assert!(made.success());
    std::os::unix::fs::symlink("loop", folder.join("loop")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero")).expect("a link");
    // Sparse: as large as it says, without room on the disk.
    let huge = |name: &str, size: u64| {
        std::fs::File::create(folder.join(name)).and_then(|file| file.set_len(size)).expect("a sparse file");
    };
    let sizes = [limits::ROBOT_BYTES, limits::STATE_BYTES, limits::EXPERIMENT_BYTES, limits::TABLE_BYTES];
    for (k, size) in sizes.into_iter().enumerate() {
        huge(&format!("huge{k}"), size + 1);
    }
    let rows = [
        ("folder", "not_a_file", "a folder, expected a file; give the file in it"),
        ("fifo", "not_a_file", "a FIFO (named pipe), expected a file; write what it would say into a file"),
        ("zero", "not_a_file", "a device, expected a file"),
        ("loop", "", "symbolic links"),
        ("nothing", "", "No such file"),
        ("huge", "too_large", "bytes or more, expected at most"),
    ];
    for (name, code, words) in rows {
        for reader in 0..5 {
            let name =
                if name == "huge" { format!("huge{}", [0, 1, 2, 3, 0][reader]) } else { name.to_owned() };
            let toml = match reader {
                3 => format!("{TOML}[drive]\n\"arm.swing\" = {{ table = \"{name}\", column = \"c\" }}\n"),
                _ => TOML.replace("r.urdf", &name),
            };
            std::fs::write(folder.join("x.toml"), toml).expect("a file");
            let message = refused(
                &folder,
                &match reader {
                    0 => vec!["inspect", &name],
                    1 => vec!["eval", "r.urdf", "--state", &name],
                    2 => vec!["run", &name, "--out", "out"],
                    _ => vec!["run", "x.toml", "--out", "out"],
                },
            );
            for words in [&name, code, words] {
                assert!(message.contains(words), "reader {reader} lacks `{words}`: {message}");
            }
            assert!(reader < 3 || message.contains("x.toml:"), "the place that names it: {message}");
        }
    }
    assert!(!folder.join("out").exists());
}

/// Every way `--out` can be no folder to write into: exit 2 before anything is run, what stands there untouched.
#[cfg(unix)]
#[test]
fn out_is_a_folder_or_an_error() {
    use std::os::unix::fs::FileTypeExt;
    let folder = scratch("out");
    std::fs::copy(robot("pendulum"), folder.join("r.urdf")).expect("a robot");
    std::fs::write(folder.join("x.toml"), TOML).expect("a file");
    let fifo = |name: &str| {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().expect("mkfifo").success());
    };
    fifo("fifo");
    std::os::unix::fs::symlink("loop", folder.join("loop")).expect("a link");
    std::os::unix::fs::symlink("nowhere", folder.join("dangling")).expect("a link");
    for (out, words) in [
        ("x.toml", "x.toml, a file, expected a folder"),
        ("x.toml/below", "x.toml/below: Not a directory"),
        ("fifo", "fifo, a FIFO (named pipe), expected a folder"),
        ("/dev/null", "/dev/null, a device, expected a folder"),
        ("/proc/articula", "/proc/articula: "),
        ("/proc/self/fdinfo", "not empty"),
        ("loop", "loop: "),
        ("dangling", "dangling: "),
    ] {
        let message = refused(&folder, &["run", "x.toml", "--out", out]);
        assert!(message.contains(words), "{out}: {message}");
    }
    // /proc takes no file even when forced: that is said before the run.
    let message = refused(&folder, &["run", "x.toml", "--out", "/proc/self/fdinfo", "--force"]);
    assert!(message.contains("/proc/self/fdinfo: "), "{message}");
    // What stands under a name of the results and is no plain file is never written over, nor followed.
    std::fs::create_dir(folder.join("forced")).expect("a folder");
    fifo("forced/trajectory.npz");
    let message = refused(&folder, &["run", "x.toml", "--out", "forced", "--force"]);
    assert!(
        message.contains("trajectory.npz: found a FIFO") && message.contains("take it away"),
        "{message}"
    );
    let kind =
        std::fs::symlink_metadata(folder.join("forced/trajectory.npz")).expect("still there").file_type();
    assert!(kind.is_fifo() && !folder.join("forced/trajectory.csv").exists());
    std::fs::remove_file(folder.join("forced/trajectory.npz")).expect("removed");
    std::os::unix::fs::symlink("../x.toml", folder.join("forced/report.json")).expect("a link");
    let message = refused(&folder, &["run", "x.toml", "--out", "forced", "--force"]);
    assert!(message.contains("report.json: found a symbolic link"), "{message}");
    assert_eq!(std::fs::read_to_string(folder.join("x.toml")).expect("untouched"), TOML);
}

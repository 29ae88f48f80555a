//! Help, examples, completions: what the command says of itself works as it says it.

#![cfg(all(feature = "cli", unix))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HAND: &str = r#"<robot name="hand"><link name="palm"/><link name="thumb"/><link name="finger"/>
<joint name="thumb" type="continuous"><parent link="palm"/><child link="thumb"/></joint>
<joint name="finger" type="continuous"><parent link="palm"/><child link="finger"/><mimic joint="thumb"/></joint></robot>"#;

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A line as a person pastes it into a shell that finds the command.
fn paste(folder: &Path, line: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_articula")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("sh").current_dir(folder).env("PATH", path).args(["-c", line]).output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The names of the commands, from the help of the whole.
fn commands() -> Vec<String> {
    let help = text(&paste(Path::new("."), "articula --help").stdout);
    let list = help.split("Commands:").nth(1).expect("a list of commands");
    let lines = list.lines().skip(1).take_while(|line| line.starts_with("  "));
    let names =
        lines.filter(|line| !line.starts_with("    ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The example lines of a help text; one that ends with `|` goes on in the next.
fn examples(help: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in help.lines().map(str::trim) {
        let line = line.strip_prefix("Example: ").unwrap_or(line);
        match found.last_mut() {
            Some(last) if open => *last = format!("{last} {line}"),
            _ if line.starts_with("articula ") || line.starts_with("echo ") => found.push(line.to_owned()),
            _ => continue,
        }
        open = line.ends_with('|');
    }
    found
}

/// What examples start from: what `demo` wrote, and what earlier examples of the same help made.
fn prepared(name: &str, demo: &Path) -> PathBuf {
    let folder = fresh(name);
    let copy = Command::new("cp").arg("-r").arg(demo).arg(&folder).status().expect("a copy");
    assert!(copy.success());
    std::fs::write(folder.join("hand.urdf"), HAND).expect("a file");
    folder
}

/// Claim: every command's help has an example, and every example line of it runs as it stands, one after the other in a
/// folder that holds what `demo` wrote and a file `hand.urdf`.
#[test]
fn examples_of_the_help_run() {
    let source = fresh("source");
    assert!(paste(&source, "articula demo --quiet").status.success());
    let names = commands();
    for known in ["demo", "init", "inspect", "eval", "run", "gradient", "registry", "explain", "completions"]
    {
        assert!(names.iter().any(|name| name == known), "{known} in {names:?}");
    }
    for name in names {
        let help = text(&paste(&source, &format!("articula {name} --help")).stdout);
        let lines = examples(&help);
        assert!(!lines.is_empty(), "no example in the help of {name}:\n{help}");
        let folder = prepared(&name, &source.join("articula-demo"));
        for line in lines {
            let done = paste(&folder, &line);
            assert!(done.status.success(), "{line}\n{}", text(&done.stderr));
            println!("{line}");
        }
    }
}

/// Claim: `demo` ends with three commands, a run, an inspect and an eval of what it wrote, and each works as pasted, in a
/// folder whose name needs quotes too.
#[test]
fn the_demonstration_ends_with_commands_that_work() {
    for out in ["plain", "with space's"] {
        let folder = fresh("ending");
        let quoted = out.replace('\'', r"'\''");
        let done = paste(&folder, &format!("articula demo --out '{quoted}'"));
        assert!(done.status.success(), "{}", text(&done.stderr));
        let shown = text(&done.stdout);
        let lines: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("  articula ")).collect();
        let kinds: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(kinds, ["run", "inspect", "eval"], "{shown}");
        for line in lines {
            let done = paste(&folder, &format!("articula {line}"));
            assert!(done.status.success() && !done.stdout.is_empty(), "{line}\n{}", text(&done.stderr));
        }
    }
}

/// Claim: completions of each shell name every command, and bash can read its own.
#[test]
fn completions_name_every_command() {
    let folder = fresh("completions");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&paste(&folder, &format!("articula completions {shell}")).stdout);
        for name in commands() {
            assert!(script.contains(&name), "{name} for {shell}");
        }
    }
    assert_eq!(paste(&folder, "articula completions cmd").status.code(), Some(2));
    if paste(&folder, "command -v bash").status.success() {
        let words = "source /dev/stdin <<< \"$(articula completions bash)\"; COMP_WORDS=(articula ex); COMP_CWORD=1; \
                     _articula articula ex articula; echo \"${COMPREPLY[@]}\"";
        std::fs::write(folder.join("complete.sh"), words).expect("a file");
        assert_eq!(text(&paste(&folder, "bash complete.sh").stdout).trim(), "explain");
    }
}

/// Claim: `--version` is that of the crate, with every command; `--quiet` is taken by every command.
#[test]
fn version_and_quiet() {
    let version = env!("CARGO_PKG_VERSION");
    let folder = fresh("version");
    assert_eq!(text(&paste(&folder, "articula --version").stdout).trim(), format!("articula {version}"));
    for name in commands() {
        let said = text(&paste(&folder, &format!("articula {name} --version")).stdout);
        assert!(said.contains(version), "{name}: {said}");
        assert!(
            text(&paste(&folder, &format!("articula {name} --help")).stdout).contains("--quiet"),
            "{name}"
        );
    }
    // Nothing but the answer, and nothing at all where there is none.
    for line in [
        "articula demo --out d --quiet",
        "articula run d/demo.toml --out r --quiet",
        "articula init d/arm.urdf --out a.toml --quiet",
    ] {
        let done = paste(&folder, line);
        assert!(
            done.status.success() && done.stdout.is_empty() && done.stderr.is_empty(),
            "{line}: {done:?}"
        );
    }
}

/// Claim: on a terminal a run shows its progress, and with `--quiet` nothing. Skipped where no `script` gives a terminal.
#[test]
fn progress_is_shown_on_a_terminal() {
    let folder = fresh("terminal");
    if !paste(&folder, "script -qc true log").status.success() {
        eprintln!("skipped: no `script` that takes -c");
        return;
    }
    assert!(paste(&folder, "articula demo --out demo --quiet").status.success());
    let shown = |line: &str| {
        assert!(paste(&folder, &format!("script -qec '{line}' log")).status.success(), "{line}");
        text(&std::fs::read(folder.join("log")).expect("a log"))
    };
    assert!(shown("articula run demo/demo.toml --out loud").contains("% of 6000 steps"));
    let quiet = shown("articula run demo/demo.toml --out quiet --quiet");
    // What is left are the lines of `script` itself.
    assert!(quiet.lines().all(|line| line.trim().is_empty() || line.starts_with("Script ")), "{quiet}");
    let piped = paste(&folder, "articula run demo/demo.toml --out piped");
    assert!(piped.status.success() && piped.stderr.is_empty());
}

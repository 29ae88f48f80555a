//! The text of the experiment.

use super::question::question;
use super::trial::{Tried, Verdict};
use crate::cli::output::shell;
use crate::description::{Description, JointDescription, JointKind};
use crate::error::{Error, Fault};
use std::f64::consts::PI;
use std::fmt::Write;

/// How the segment moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Rung {
    /// By commanded positions.
    Kinematic,
    /// By efforts.
    Dynamic,
}

impl Rung {
    /// As experiment files write it.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Kinematic => "kinematic",
            Rung::Dynamic => "dynamic",
        }
    }
}

/// What stands under the refused elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// Entries commented out, their reasons empty: the user decides.
    Open,
    /// A reason for every entry, for a trial that nobody keeps.
    Tried,
}

/// An experiment under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft<'d> {
    pub description: &'d Description,
    /// The robot's path as the experiment names it.
    pub path: &'d str,
    /// The experiment's own name.
    pub name: &'d str,
    pub joints: Vec<&'d JointDescription>,
    pub rung: Rung,
    /// Why the rung is not the dynamic one, where nobody asked for another.
    pub why: Option<String>,
}

impl<'d> Draft<'d> {
    pub fn new(description: &'d Description, path: &'d str, name: &'d str) -> Self {
        let moves = |joint: &&JointDescription| {
            matches!(joint.kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
        };
        let joints = description.joints.iter().filter(moves).collect();
        Draft { description, path, name, joints, rung: Rung::Dynamic, why: None }
    }

    /// The whole file: what to know first, then the experiment.
    pub fn text(&self, verdict: &Verdict) -> String {
        self.head(verdict) + "\n" + &self.body(Answers::Open)
    }

    fn head(&self, verdict: &Verdict) -> String {
        let mut lines = vec![
            format!(
                "An experiment for the robot `{}`, made by `articula init`: a start, to be changed.",
                self.description.robot
            ),
            format!("Run it with:  articula run {} --out results", shell(self.name)),
            String::new(),
        ];
        let tried = match verdict.tried {
            Some(Tried { steps, of }) => format!(" (tried for {steps} of {of} steps)"),
            None => " (not tried: too many joints for a trial)".into(),
        };
        match (verdict.to_decide.as_slice(), &verdict.then) {
            ([], None) => lines.push(format!("It runs as it is{tried}.")),
            ([], Some(then)) => lines.push(format!("It does not run yet: {then}")),
            (faults, then) => {
                lines.push(format!("It does not run before this is decided ({}):", faults.len()));
                lines.extend(faults.iter().map(decision));
                lines.push(
                    "For each: change the robot file, or acknowledge it below, under `acknowledged`.".into(),
                );
                lines.push(match then {
                    None => format!("With all of them acknowledged it runs{tried}."),
                    Some(then) => format!("Even then it does not run: {then}"),
                });
            }
        }
        if let Some(why) = &self.why {
            lines.push(format!("The rung is kinematic, because the dynamic one would not run: {why}"));
        }
        lines.iter().map(|line| comment(line) + "\n").collect()
    }

    /// The experiment.
    pub fn body(&self, answers: Answers) -> String {
        let mut text = String::new();
        let out = &mut text;
        line(
            out,
            "profile = \"exploratory\"           # or \"research\": refuses numerical defaults, lists conventions",
        );
        line(out, "\n[time]");
        line(out, "step = 0.001                      # s");
        line(out, "duration = 1.0                    # s, a whole number of steps");
        line(out, "\n[environment]");
        line(out, "gravity = [0.0, 0.0, -9.80665]    # m/s^2, world axes");
        line(out, "\n[chain.arm]");
        line(out, &format!("description = {}", basic(self.path)));
        line(out, &format!("rung = \"{}\"", self.rung.name()));
        match self.rung {
            Rung::Dynamic => line(out, "solver = \"exact\"                  # or { sweeps = 16 }"),
            Rung::Kinematic => {
                line(out, "# servo = 0.02                    # s, follow the command as a first-order lag")
            }
        }
        line(out, "# at = [0.0, 0.0, 0.0]            # m, where the root stands in the world");
        line(out, "# orientation = [1.0, 0.0, 0.0, 0.0]    # w x y z");
        if self.joints.iter().any(|joint| joint.mimic.is_some()) {
            line(
                out,
                "# mimic = \"coupled\"              # couples mimic joints to the ones they follow, in place of acknowledging them;",
            );
            line(
                out,
                &format!(
                    "#                                 # then take out the lines that say `{LEAVE_OUT}`"
                ),
            );
        }
        self.positions(out);
        self.limits(out);
        if self.rung == Rung::Dynamic {
            self.friction(out);
            self.armature(out);
            self.actuators(out);
        }
        self.acknowledged(answers, out);
        self.drives(out);
        question(&self.joints, self.rung, out);
        text
    }

    fn positions(&self, out: &mut String) {
        line(out, "\n[chain.arm.initial_positions]");
        self.each(out, "", |joint| {
            let unit = unit(joint);
            let range = match joint.bounds() {
                Some((lower, upper)) => format!("{unit}, within {lower:?} .. {upper:?}"),
                None => format!("{unit}, the robot file gives no limits"),
            };
            // The joint it follows says where it starts.
            (format!("{:?}", start(joint)), led(joint, range))
        });
        line(out, "\n# [chain.arm.initial_velocities]  # at rest unless given");
        self.each(out, "# ", |joint| ("0.0".into(), format!("{}/s", unit(joint))));
    }

    /// Limits of joints that need some and have none.
    fn limits(&self, out: &mut String) {
        let without =
            |joint: &JointDescription| joint.kind != JointKind::Continuous && joint.bounds().is_none();
        if !self.joints.iter().any(|joint| without(joint)) {
            return;
        }
        line(
            out,
            "\n[chain.arm.limits]                # GUESSES: the robot file gives none; put in the machine's, and the reason",
        );
        let reason = "a guess: the robot file gives no limits";
        for joint in self.joints.iter().filter(|joint| without(joint)) {
            let (lower, upper) = guess(joint);
            line(
                out,
                &format!(
                    "{} = {{ lower = {lower:?}, upper = {upper:?}, reason = \"{reason}\" }}    # {}",
                    key(&joint.name),
                    unit(joint)
                ),
            );
        }
    }

    fn friction(&self, out: &mut String) {
        line(
            out,
            "\n# [chain.arm.friction]            # in place of both of the robot file's, whose numbers these are",
        );
        self.each(out, "# ", |joint| {
            let units = if slides(joint) { "N, N s/m" } else { "N m, N m s/rad" };
            (format!("{{ coulomb = {:?}, damping = {:?} }}", joint.friction, joint.damping), units.into())
        });
    }

    fn armature(&self, out: &mut String) {
        line(
            out,
            "\n# [chain.arm.armature]            # rotor inertia x reduction^2; robot files have no word for it. Needs a reason",
        );
        self.each(out, "# ", |joint| {
            let units = if slides(joint) { "kg" } else { "kg m^2" };
            ("{ value = 0.0, reason = \"\" }".into(), units.into())
        });
    }

    /// Rotors that a transmission of the file could reflect.
    fn actuators(&self, out: &mut String) {
        let usable = self.description.transmissions.iter().filter(|t| t.is_simple() && t.problems.is_empty());
        let mut found = usable
            .filter_map(|t| Some((t, t.actuators.first()?, t.joints.first()?, t.reduction?)))
            .peekable();
        if found.peek().is_none() {
            return;
        }
        line(
            out,
            "\n# [chain.arm.actuators]           # or so: reflected through the file's transmission; one source a joint",
        );
        for (transmission, actuator, joint, reduction) in found {
            let from = format!("kg m^2, x {reduction:?}^2 onto {joint} ({})", transmission.name);
            line(
                out,
                &comment(&format!(
                    "{} = {{ rotor_inertia = 0.0, reason = \"\" }}    # {from}",
                    key(actuator)
                )),
            );
        }
    }

    fn acknowledged(&self, answers: Answers, out: &mut String) {
        let never = match self.description.acknowledge_all("tried") {
            Err(Error::Refused { faults, .. }) => faults,
            _ => Vec::new(),
        };
        let account = self.description.account.refused();
        // What no reason answers is said at the top, with what to change.
        let refused: Vec<_> = account
            .filter(|entry| !never.iter().any(|f| (f.line, f.column) == (entry.line, entry.column)))
            .collect();
        if refused.is_empty() {
            return;
        }
        line(
            out,
            "\n# Refused elements of the robot file. Take the # off an entry once you have decided that it may be passed over in",
        );
        line(out, "# this study, and give the reason; an empty one is refused.");
        for entry in refused {
            let (mark, reason) = if answers == Answers::Open { ("# ", "") } else { ("", "tried") };
            line(out, &comment(&format!("{}:{} {}", entry.line, entry.column, entry.reason)));
            line(out, &format!("{mark}[[chain.arm.acknowledged]]"));
            line(out, &format!("{mark}element = {}", basic(&entry.path)));
            line(out, &format!("{mark}reason = \"{reason}\""));
        }
    }

    fn drives(&self, out: &mut String) {
        let (what, other) = match self.rung {
            Rung::Dynamic => ("efforts", "or sine, table, pd = { target = 0.3, kp = 20.0, kd = 1.0 }"),
            Rung::Kinematic => ("positions", "or sine, table"),
        };
        line(out, &format!("\n[drive]                           # {what}; {other}"));
        let entry = |joint: &&JointDescription| {
            let (value, unit) = match self.rung {
                Rung::Dynamic => (0.0, if slides(joint) { "N" } else { "N m" }),
                Rung::Kinematic => (start(joint), unit(joint)),
            };
            let address = basic(&format!("arm.{}", joint.name));
            let remark = match self.rung {
                // An effort acts on a joint that follows another too; a command of its own it cannot obey.
                Rung::Dynamic => unit.to_owned(),
                Rung::Kinematic => led(joint, unit.to_owned()),
            };
            (format!("{address} = {{ constant = {value:?} }}"), remark)
        };
        columns(out, &self.joints.iter().map(entry).collect::<Vec<_>>());
    }

    /// A line a joint: its name, a value, a remark.
    fn each(&self, out: &mut String, mark: &str, of: impl Fn(&JointDescription) -> (String, String)) {
        let of = |joint: &&JointDescription| {
            (format!("{mark}{} = {}", key(&joint.name), of(joint).0), of(joint).1)
        };
        columns(out, &self.joints.iter().map(of).collect::<Vec<_>>());
    }
}

/// What is refused; what to change where no acknowledgement will do.
fn decision(fault: &Fault) -> String {
    let Fault { line, column, found, fix, code, .. } = fault;
    let only = if fix.ends_with("cannot be acknowledged") { format!("; {fix}") } else { String::new() };
    format!("  {line}:{column} {found}{only} [{code}]")
}

pub(super) fn line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Lines with remarks that stand below each other.
pub(super) fn columns(out: &mut String, rows: &[(String, String)]) {
    let width = rows.iter().map(|(entry, _)| entry.chars().count()).max().unwrap_or(0).max(33);
    for (entry, remark) in rows {
        line(out, &format!("{entry:width$} # {remark}"));
    }
}

/// Marks the lines that a joint has of its own only while it follows none.
const LEAVE_OUT: &str = "leave out when coupled";

/// The remark on such a line.
fn led(joint: &JointDescription, remark: String) -> String {
    if joint.mimic.is_some() { format!("{LEAVE_OUT}; {remark}") } else { remark }
}

fn slides(joint: &JointDescription) -> bool {
    joint.kind == JointKind::Prismatic
}

pub(super) fn unit(joint: &JointDescription) -> &'static str {
    if slides(joint) { "m" } else { "rad" }
}

/// Zero where that is within the limits, else their middle: near no stop.
pub(super) fn start(joint: &JointDescription) -> f64 {
    let (lower, upper) = joint.bounds().unwrap_or(guess(joint));
    if joint.kind == JointKind::Continuous || (lower <= 0.0 && 0.0 <= upper) {
        return 0.0;
    }
    let middle = lower + 0.5 * (upper - lower);
    let short = (middle * 1e3).round() / 1e3;
    if lower <= short && short <= upper { short } else { middle }
}

/// Limits for a joint that has none, wide enough to be no hindrance.
fn guess(joint: &JointDescription) -> (f64, f64) {
    if slides(joint) { (-1.0, 1.0) } else { (-PI, PI) }
}

/// A comment of one line, whatever the words came from.
fn comment(words: &str) -> String {
    let mut text = String::from("#");
    if !words.is_empty() {
        text.push(' ');
    }
    for letter in words.chars() {
        match letter.is_control() {
            true => text.extend(letter.escape_default()),
            false => text.push(letter),
        }
    }
    text
}

/// A key of TOML: bare where it can be.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { basic(name) }
}

/// A basic string of TOML.
pub(super) fn basic(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

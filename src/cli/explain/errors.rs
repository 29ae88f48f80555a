//! Error codes.

use super::word::{Kind, Word};

pub(super) fn words() -> Vec<Word> {
    CODES.iter().map(|(name, meaning, remedy)| Word::new(Kind::Error, name, meaning, remedy, "")).collect()
}

/// Every code of [`Error::code`](crate::Error::code) and of a [`Fault`](crate::error::Fault): code, meaning, remedy.
const CODES: &[(&str, &str, &str)] = &[
    (
        "mimic",
        "A mimic joint that was to be coupled and cannot be: it follows nothing that moves, another kind of joint, itself, \
         or by a multiplier of zero.",
        "Correct it in the robot file, or acknowledge it: it is then a free joint.",
    ),
    (
        "description",
        "The file cannot be read as a robot description. Its faults follow, each with place and code.",
        "Mend them in the order they are listed: `articula inspect ROBOT` shows them all at once.",
    ),
    (
        "refused",
        "The robot file holds elements whose loss would change the mechanism, and nobody acknowledged them.",
        "Change the file, or acknowledge each with a reason: `--acknowledge 'PATH=REASON'`, or \
         `[[chain.X.acknowledged]]` in the experiment. `articula init` writes these entries ready to be decided.",
    ),
    (
        "io",
        "A file or folder cannot be read or written; the system says why.",
        "Correct the path or the permissions.",
    ),
    (
        "not_a_file",
        "A folder, a pipe, a device or a link where a plain file is read or would be written over.",
        "Name a plain file; for results, another folder, or take away what stands there.",
    ),
    (
        "long_name",
        "A name longer than this program takes: names stand in columns, messages and files.",
        "Shorten it to at most 1024 bytes.",
    ),
    (
        "value",
        "A value that is not allowed where it stands. The message says who holds it and what is allowed, with its unit.",
        "Change it to what is expected there.",
    ),
    (
        "length",
        "A list of the wrong length.",
        "Give as many numbers as expected: one a joint in model order, or numbers by joint name.",
    ),
    (
        "unknown_name",
        "Nothing answers to this name: a joint, frame, link, actuator, quantity or column.",
        "Take the nearest name from the message, or see all with `articula inspect ROBOT`.",
    ),
    ("toml", "The experiment file is not TOML at this place.", "Mend its grammar there; toml.io has it."),
    (
        "unknown_key",
        "A key that an experiment does not have.",
        "Take the nearest known key from the message, or take it out. Keys are never passed over in silence.",
    ),
    ("missing_key", "Something that has no default is not given.", "Add it."),
    (
        "wrong_type",
        "A value of another type: text where a number belongs, a number where a table belongs.",
        "Write it as expected; numbers stand without quotes.",
    ),
    ("not_finite", "A number that is infinite or not a number.", "Give a finite one."),
    (
        "missing_limits",
        "A revolute or prismatic joint has limits neither in the robot file nor in the experiment.",
        "Give them under [chain.X.limits] with a reason, or make the joint continuous in the robot file. `articula init` \
         writes guesses to be replaced.",
    ),
    (
        "two_sources",
        "One thing is given twice: two drives of a joint, or an armature both declared and reflected.",
        "Take one of them out.",
    ),
    (
        "transmission",
        "A rotor is given for an actuator whose transmission cannot be used. The message says what is wrong with it.",
        "Mend the robot file, or declare the joint's reflected inertia under [chain.X.armature].",
    ),
    (
        "table",
        "A CSV table that cannot be used: its header, a row or a cell; the message names the line.",
        "Mend the line. The first column is `time`, s, and rises from row to row.",
    ),
    (
        "numerical_default",
        "An experiment of the profile `research` leaves a number of the method to a default.",
        "Give the number, or use `profile = \"exploratory\"`.",
    ),
    (
        "not_built",
        "The experiment asks for something that this version does not have.",
        "Take it out; nothing is read past it in silence.",
    ),
    (
        "too_large",
        "The file, or what it asks for, is larger than anything meant here.",
        "Give the file itself, or ask for less: a longer step, a shorter duration.",
    ),
    ("too_deep", "Elements are nested deeper than in any robot file.", "Give the robot file itself."),
    ("not_utf8", "The file is not UTF-8 text.", "Save it as UTF-8, for instance with `iconv -t UTF-8`."),
    ("empty_file", "The robot file is empty.", "Check that the program that wrote it (xacro?) did not fail."),
    (
        "not_xml",
        "The robot file is not well-formed XML at this place.",
        "Mend it there; `xmllint` shows the place too.",
    ),
    ("no_robot", "The file's root element is not <robot>.", "Give a URDF file; other formats are not read."),
    (
        "no_root",
        "No link is free of a parent: every link is some joint's child.",
        "Give the whole robot, with the link it stands on.",
    ),
    (
        "several_roots",
        "Several links are no joint's child: the robot is in pieces.",
        "Join them with fixed joints, or take the loose ones out.",
    ),
    ("duplicate_link", "Two links have one name.", "Rename one of them, and what refers to it."),
    ("duplicate_joint", "Two joints have one name.", "Rename one of them, and what refers to it."),
    (
        "unknown_link",
        "A joint names a link that the file does not have.",
        "Correct the name, or add the link.",
    ),
    ("self_loop", "A joint has one link as both parent and child.", "Correct one of the two."),
    (
        "two_parents",
        "A link is the child of two joints: a closed loop, which URDF cannot say.",
        "Take one of the joints out.",
    ),
    (
        "loop",
        "Joints lead back to where they started.",
        "Take one of the joints out: a robot is a tree here.",
    ),
    ("missing_attribute", "An attribute that must be there is absent or empty.", "Write it."),
    ("missing_element", "An element that must be there is absent.", "Write it."),
    (
        "not_a_number",
        "A number in the robot file that is none: `nan`, `inf`, `1,5`, `${x}`.",
        "Write a finite decimal number with a point; expand xacro first.",
    ),
    ("wrong_count", "An attribute has another count of numbers than it needs.", "Write as many as expected."),
    (
        "readers_disagree",
        "Two readers of the robot file took a number differently.",
        "Write the number plainly; if it is plain, please report the file.",
    ),
];

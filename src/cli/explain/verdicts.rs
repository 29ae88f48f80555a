//! Verdicts of the account.

use super::word::{Kind, Word};
use crate::description::Verdict;

const VERDICTS: [Verdict; 4] = [Verdict::Used, Verdict::NotUsed, Verdict::Note, Verdict::Refused];

pub(super) fn words() -> Vec<Word> {
    VERDICTS.into_iter().map(text).collect()
}

fn text(verdict: Verdict) -> Word {
    let (name, meaning, remedy, example) = match verdict {
        Verdict::Used => ("used", "The model is made of this element or attribute.", "Nothing.", ""),
        Verdict::NotUsed => (
            "not_used",
            "This element or attribute of the robot file is recognised and has no effect on motion here: looks, collision \
             shapes, simulator extensions. It covers what is inside it. In a report's `validity` it is a setting that was \
             given and that the rung has no use for.",
            "Nothing, unless you counted on it. `articula inspect ROBOT --all` lists each with its line.",
            "",
        ),
        Verdict::Note => (
            "note",
            "The element or attribute is used, with a remark: a default taken, an axis normalised, a limit not usable.",
            "Read the remark once; mend the file if it is not what was meant.",
            "joint[forearm_roll]/axis: read; axis of length 2.828427: normalised",
        ),
        Verdict::Refused => (
            "refused",
            "Dropping this element would change the mechanism (a mimic joint, an element URDF does not define, an \
             impossible inertia), so nothing is computed past it in silence. As an error code: a file in which such \
             elements are left.",
            "Change the file, or acknowledge the element with a reason: `--acknowledge 'PATH=REASON'`, or \
             `[[chain.X.acknowledged]]` in the experiment. A mimic joint may be coupled instead: `mimic = \"coupled\"`. `articula init` \
             writes these entries ready to be decided.",
            "[[chain.arm.acknowledged]]\nelement = \"joint[finger]/mimic\"\nreason = \"gripper held shut in this study\"",
        ),
    };
    Word::new(Kind::Verdict, name, meaning, remedy, example)
}

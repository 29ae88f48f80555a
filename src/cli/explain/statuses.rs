//! Statuses: of a derivative, of a step, of a run.

use super::word::{Kind, Word};

pub(super) fn words() -> Vec<Word> {
    [
        (
            "exact",
            "The derivative is that of what was computed, and no switch lies on the way: it holds on both sides. As a \
             solver: the step's one answer, not a fixed count of sweeps.",
            "Use it.",
            "",
        ),
        (
            "exact_branch",
            "The derivative is exact for the pieces every joint was on. Beyond the nearest switch another piece begins, \
             with another derivative. Not printed by this version yet.",
            "Use it for changes smaller than the margin, the value of the nearest indicator; check what a larger step of an \
             optimiser does.",
            "a joint slides at 0.161 N m beyond the edge of sticking: good until the effort changes by that much",
        ),
        (
            "one_sided",
            "Something stood exactly on a switch. The derivative is that of one side, the one the first nonzero tangent \
             leads to; on the other side it is another number. Not printed by this version yet.",
            "Use it as a one-sided derivative in the direction of the seed, never as a gradient of both sides. Move the \
             input a little off the switch to get an ordinary one.",
            "an effort exactly equal to the joint's friction",
        ),
        (
            "jump",
            "At a switch on the way an output itself jumps, not only its derivative. No derivative tells of the jump. Not printed by this version yet.",
            "Do not use it across the switch. No law of this version declares a jump.",
            "",
        ),
        (
            "unsettled",
            "A step's solve did not end on its pieces, so the derivative may be off by as much as it is large. A replayed \
             script that is not the law's at its inputs ends so too. Not printed by this version yet.",
            "Read the residual first. Use `solver = \"exact\"`, or more sweeps.",
            "\"settled\": false in report.json",
        ),
        (
            "vanishing",
            "The derivative is zero because joints stick or lean on their stops all the way: right, and of no use to an \
             optimiser. Not printed by this version yet.",
            "Push beyond the friction, or start elsewhere: the indicators say how far the edge is, `stuck_fraction` and \
             `stop_fraction` which joints.",
            "stuck_fraction: {\"wrist_roll\": 1.0}",
        ),
        (
            "piecewise_kink",
            "Declared by the laws before any number is computed: outputs are continuous, their derivatives jump at \
             switches.",
            "Read the indicators of the switches listed in report.json before believing a derivative.",
            "",
        ),
        (
            "settled",
            "Every joint of every step is on its piece: the residual is rounding.",
            "Nothing.",
            "",
        ),
        (
            "residual",
            "How far the answer of a step is from the best one, N m s or N s: the largest impulse any single joint would \
             still change by, the others as they are.",
            "Compare it with the impulses of the step. Rounding is 1e-12 of them or less.",
            "",
        ),
        (
            "stuck_fraction",
            "The share of the steps in which a joint stood still by friction.",
            "Near 1, derivatives by this joint's inputs vanish.",
            "",
        ),
        (
            "stop_fraction",
            "The share of the steps that a joint ended at a stop; on the kinematic rung, in which it was told to go beyond \
             its limits.",
            "Near 1, derivatives by this joint's inputs vanish.",
            "",
        ),
        ("done", "The run went to its end.", "Nothing.", ""),
        (
            "interrupted",
            "Ctrl-C ended the run early. The rows so far are written, whole and good.",
            "Run it again for the rest.",
            "",
        ),
    ]
    .map(|(name, meaning, remedy, example)| Word::new(Kind::Status, name, meaning, remedy, example))
    .into()
}

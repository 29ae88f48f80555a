//! Statuses: of a derivative, of a step, of a run.

use super::word::{Kind, Word};

pub(super) fn words() -> Vec<Word> {
    [
        (
            "exact",
            "No indicator of a switch came within its margin: the derivative is that of what was computed, and holds on both \
             sides. As a solver: the step's one answer, not a fixed count of sweeps.",
            "Use it.",
            "",
        ),
        (
            "exact_branch",
            "The derivative is exact for the pieces every joint was on, and within the margin of some switch another piece \
             begins, with another derivative.",
            "Use it for changes that leave the switch where it is: `status` lists each switch that came near, with its joint, \
             time, value and margin. Check what a larger step of an optimiser does.",
            "arm.stop.low of shoulder_pan, 9.79e-9 rad from its edge at 4.09 s (margin 1e-6 rad)",
        ),
        (
            "one_sided",
            "Something stood exactly on a switch. The derivative is an element of the generalized one: that of the side the \
             first nonzero tangent leads to or, where none decides (`undecided`), of the law's convention. On the other side \
             it is another number.",
            "Use it as a one-sided derivative in the direction of the seed, never as a gradient of both sides. Move the \
             input a little off the switch to get an ordinary one.",
            "an effort exactly equal to the joint's friction; a start exactly on a stop",
        ),
        (
            "jump",
            "A switch at which an output itself jumps, not only its derivative, came within its margin or changed side \
             between two steps. No derivative tells of the jump.",
            "Do not use it across the switch. No law of this version declares a jump; a law of your own may, and is watched \
             by `Observer::watch`.",
            "",
        ),
        (
            "unsettled",
            "A step's solve did not end on its pieces, so the derivative may be off by as much as it is large. A replayed \
             script that is not the law's at its inputs ends so too, and a run that became not finite.",
            "Read `residual`, `unsettled_steps` and `unsettled_time` first. Use `solver = \"exact\"`, or more sweeps. Every \
             other fact of the status is still there.",
            "\"settled\": false in report.json",
        ),
        (
            "vanishing",
            "At the end of the run no input of a family (`efforts`, or `commands` on the kinematic rung) changes anything in \
             an output group, for joints stick, lean on their stops or are told to go beyond a limit: that derivative is \
             zero, which is right, and of no use to an optimiser. `throughout`: at the end of every step.",
            "Push beyond the friction, or start elsewhere: the indicators say how far the edge is, `stuck_fraction` and \
             `stop_fraction` which joints.",
            "{\"group\": \"joint_velocities\", \"inputs\": \"efforts\", \"throughout\": true}",
        ),
        (
            "piecewise_kink",
            "Declared by the laws before any number is computed: outputs are continuous, their derivatives jump at \
             switches.",
            "Read `observed` in the status: what the run made of it.",
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

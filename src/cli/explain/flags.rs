//! Flags of a report.

use super::word::{Kind, Word};

pub(super) fn words() -> Vec<Word> {
    [
        (
            "beyond_speed_limit",
            "A joint went faster than the speed limit of its robot file. Limits of speed are watched, not applied: the run \
             went on as if there were none.",
            "See the joint, the first time and the peak in `flags` of report.json. Drive it more softly, give it the \
             armature of its geared drive, or accept that the machine could not do this.",
            "\"arm.beyond_speed_limit\": [{\"joint\": \"elbow\", \"first_time\": 0.4, \"peak\": 2.7, \"limit\": 2.5, ..}]",
        ),
        (
            "beyond_effort_limit",
            "A joint was told more effort than the limit of its robot file. Limits of effort are watched, not applied.",
            "See the joint, the first time and the peak in `flags` of report.json. Lower the gains or the amplitude of its \
             drive, or accept that the machine could not do this.",
            "",
        ),
        (
            "pending",
            "Numerical defaults that an exploratory experiment took: numbers of the method nobody has answered for yet.",
            "Give each in the experiment; `profile = \"research\"` refuses them.",
            "",
        ),
        (
            "conventions",
            "Defaults that are customs (gravity, rest, no armature), listed for an experiment of the profile `research`.",
            "Read the list once; give in the experiment what should be otherwise.",
            "",
        ),
        (
            "validity",
            "What to know before believing the numbers of a run: settings that were given and have no effect, and the like.",
            "Read each line; it names its joint.",
            "",
        ),
    ]
    .map(|(name, meaning, remedy, example)| Word::new(Kind::Flag, name, meaning, remedy, example))
    .into()
}

//! `[objective]` and `[decision]`, as comments.

use super::draft::{Rung, basic, columns, line, start, unit};
use crate::description::JointDescription;

/// What `articula gradient` needs, of the first joint that follows none.
pub(super) fn question(joints: &[&JointDescription], rung: Rung, out: &mut String) {
    let Some(joint) = joints.iter().find(|joint| joint.mimic.is_none()) else { return };
    let address = format!("arm.{}", crate::model::quoted(&joint.name));
    let (input, from) = (basic(&address), basic(&format!("{address}.initial_position")));
    let mut terms = vec![(
        format!("#   {{ joint = {input}, position = {:?}, at = \"end\", weight = 1.0 }},", start(joint)),
        format!("{}; or velocity; or frame = \"arm.LINK\" with position or orientation", unit(joint)),
    )];
    if rung == Rung::Dynamic {
        terms.push(("#   { effort_squared = \"arm\", weight = 1e-4 },".into(), "all along".into()));
    }
    line(
        out,
        "\n# [objective]                     # what `articula gradient` differentiates; a run does not use it",
    );
    line(out, "# terms = [");
    columns(out, &terms);
    line(out, "# ]");
    line(
        out,
        "\n# [decision]                      # by what: inputs of joints, numbers of the machine and its start",
    );
    let rows = [
        (
            format!("# inputs = [{input}]"),
            "a number a step, or with `knots = 2` straight lines between so many".into(),
        ),
        (
            format!("# parameters = [{from}]"),
            "or friction, damping, armature, lower; masses; gravity.z".into(),
        ),
    ];
    columns(out, &rows);
}

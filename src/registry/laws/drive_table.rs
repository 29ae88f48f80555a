//! A drive read off a table.

use super::prelude::*;

/// A drive read off a table.
pub const LAW: Law = Law {
    name: "drive_table",
    title: "A drive read off a table of time",
    summary: "An effort or a position from a CSV file, held or linear between its rows; the first and the last row hold outside.",
    item: item!(articula::rollout::Drive::Table),
    equations: &[
        "u = row before t   (zero_order)      u = between the rows around t, in proportion   (linear)",
    ],
    discretisation: "Evaluated at the start of the step, held over it.",
    symbols: &[
        symbol(
            "table",
            Parameter,
            "values at rising times",
            "s; N m; N or rad; m",
            item!(articula::rollout::Table),
        ),
        symbol("hold", Parameter, "what is said between two rows", "1", item!(articula::rollout::Hold)),
        symbol(
            "u",
            Output,
            "effort, or the commanded position on the kinematic rung",
            "N m; N or rad; m",
            item!(articula::rollout::Drive),
        ),
    ],
    accepts: &[port("t", "s")],
    publishes: &[port("u", "N m; N or rad; m")],
    assumptions: &["what is asked for is what acts"],
    limitations: &["times must rise and numbers be finite: else it is refused, with the line"],
    validity: &[
        check(
            "values by hand, and rows that fall on a step",
            &[
                "src/rollout/drive.rs::tables_hold_and_interpolate",
                "src/rollout/drive.rs::a_row_on_a_step_is_taken_there",
            ],
        ),
        check("what is refused, with its line", &["tests/experiment.rs::bad_tables_name_file_and_line"]),
    ],
    applies_to: &["joint"],
    ..EMPTY
};

//! How much is read, and why no more. Everything real fits many times over; what does not is a mistake or an attack, and
//! ends in an error that names the limit.

/// Largest robot file, bytes: the largest published ones have about 2 MiB; what is larger is a mesh or an archive.
pub const ROBOT_BYTES: u64 = 64 << 20;

/// Most nodes of a robot file: the account holds a path for each, some hundred bytes.
pub const ROBOT_NODES: u32 = 1_000_000;

/// Deepest nesting of a robot file: URDF needs about ten, and a path of the account grows with the depth.
pub const ROBOT_DEPTH: usize = 100;

/// Most attributes of one element: URDF has six at most, and the parser compares each with all before it.
pub const ROBOT_ATTRIBUTES: usize = 256;

/// Most namespace declarations of a robot file: the parser copies those in force for each that is added.
pub const ROBOT_NAMESPACES: usize = 256;

/// Longest account of a robot file, bytes of paths and reasons: long names times many children would fill any memory.
pub const ACCOUNT_BYTES: usize = 256 << 20;

/// Longest name of a link, a joint or a segment, bytes: each stands in dozens of columns and messages.
pub const NAME_BYTES: usize = 1024;

/// Most joints that move: matrices have a number for each pair, 32 MiB at 2048, and a step has several.
pub const MOVING_JOINTS: usize = 2048;

/// Largest experiment file, bytes: a thousand joints with every setting take about 0.5 MiB.
pub const EXPERIMENT_BYTES: u64 = 16 << 20;

/// Largest CSV table, bytes: ten minutes at 1 kHz of ten columns have about that; as numbers it takes up to four times as
/// much.
pub const TABLE_BYTES: u64 = 128 << 20;

/// Most columns of a CSV table: twice as many as joints that move.
pub const TABLE_COLUMNS: usize = 4096;

/// Largest file of states, bytes: a hundred thousand states of a seven-joint arm; read, it takes up to forty times as
/// much.
pub const STATE_BYTES: u64 = 32 << 20;

/// Most numbers of one answer to states: as JSON values and as text they take about 64 bytes each, 1 GiB together.
pub const ANSWER_NUMBERS: u128 = 1 << 24;

/// Most numbers of a run's rows, kept until it ends: 1 GiB.
pub const RUN_NUMBERS: u128 = 1 << 27;

/// Most steps of a run, before its rows are counted: past this the count itself is not exact.
pub const RUN_STEPS: f64 = 1e12;

/// Most sweeps of a step: more is a hang, as a step cannot be interrupted; the exact solve takes less time than a hundred.
pub const SWEEPS: u32 = 1_000_000;

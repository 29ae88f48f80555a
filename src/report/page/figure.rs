//! The data of the stick figure: where every frame was and what every joint did, at some rows of a run.

use crate::rollout::{Rung, Segment, Session};
use crate::step::Piece;
use serde::Serialize;

/// Most rows shown.
const MOST_ROWS: usize = 601;

/// Most numbers shown: at about ten characters each the page stays below two megabytes.
const MOST_NUMBERS: usize = 130_000;

/// What a joint does: the class it is drawn in, and in words. A [`Sample`] names them by letter, `a` the first.
pub(super) const DOES: [(&str, &str); 12] = [
    ("still", "start, nothing has acted"),
    ("moving", "slides −"),
    ("moving", "slides +"),
    ("moving", "free"),
    ("moving", "follows its command"),
    ("stuck", "stuck"),
    ("stopped", "on its lower stop"),
    ("stopped", "on its upper stop"),
    ("stopped", "held at its lower limit"),
    ("stopped", "held at its upper limit"),
    ("still", "free, and at rest"),
    ("still", "at rest at its command"),
];

/// A run as the figure shows it, all segments together.
#[derive(Serialize)]
pub(super) struct Figure<'a> {
    /// s.
    step: f64,
    /// Rows of the run.
    pub rows: usize,
    /// The rows shown, the first and the last among them.
    pub at: Vec<usize>,
    /// What positions are counted from, m, world axes.
    origin: [f64; 3],
    /// Of a ball about the origin that the figure stays in, m.
    radius: f64,
    /// Height of the ground above the origin, m.
    ground: f64,
    does: [(&'static str, &'static str); 12],
    frames: Vec<Frame<'a>>,
    pub joints: Vec<Joint<'a>>,
    samples: Vec<Sample>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
    /// The frame it hangs on.
    parent: Option<usize>,
    /// Held by a fixed joint.
    welded: bool,
}

#[derive(Serialize)]
pub(super) struct Joint<'a> {
    pub name: &'a str,
    pub segment: &'a str,
    /// Whose origin it is drawn at: the link that it moves.
    frame: usize,
    pub slides: bool,
    /// Units of position, velocity and effort (on the kinematic rung: command).
    units: [&'static str; 3],
}

/// One row, or what is shown of it: seven digits.
#[derive(Serialize)]
struct Sample {
    /// Three numbers a frame, m.
    xyz: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    /// Effort; on the kinematic rung the command.
    told: Vec<f64>,
    /// A letter a joint.
    does: String,
}

impl<'a> Figure<'a> {
    /// What is shown of a session. Of one that `ran_away` the last few rows may lie outside the ball.
    pub fn of(session: &'a Session, ran_away: bool) -> Self {
        let (mut frames, mut joints) = (Vec::new(), Vec::new());
        for segment in session.segments() {
            let first = frames.len();
            parts(segment, first, &mut frames, &mut joints);
        }
        let at = shown(session.rows(), 3 * (frames.len() + joints.len()));
        let (origin, radius, lowest) = ball(session, &at, ran_away);
        // The world's ground where the figure is near it; else a level below the figure.
        let ground = if origin[2].abs() <= 2.0 * radius { -origin[2] } else { lowest };
        let samples = at.iter().map(|k| sample(session, *k, origin, radius)).collect();
        let (step, rows) = (session.step(), session.rows());
        Figure { step, rows, at, origin, radius, ground, does: DOES, frames, joints, samples }
    }
}

fn parts<'a>(segment: &'a Segment, first: usize, frames: &mut Vec<Frame<'a>>, joints: &mut Vec<Joint<'a>>) {
    let model = segment.model();
    let kinematic = matches!(segment.rung(), Rung::Kinematic(_));
    for (i, frame) in model.frames().iter().enumerate() {
        let above = model.parent_frame(i);
        let welded = above.is_some_and(|p| model.frames()[p].joint == frame.joint);
        // Depth first: of the frames that a joint moves, the first is the link it holds.
        if let Some(j) = frame.joint.filter(|_| !welded) {
            let joint = &model.joints()[j];
            let told = if kinematic { joint.kind.position_unit() } else { joint.kind.effort_unit() };
            joints.push(Joint {
                name: &joint.name,
                segment: segment.name(),
                frame: first + i,
                slides: joint.kind.slides(),
                units: [joint.kind.position_unit(), joint.kind.velocity_unit(), told],
            });
        }
        frames.push(Frame { name: &frame.name, parent: above.map(|p| first + p), welded });
    }
}

/// The rows to show of so many, `numbers` each: evenly spread, first and last among them.
fn shown(rows: usize, numbers: usize) -> Vec<usize> {
    let most = (MOST_NUMBERS / numbers.max(1)).clamp(2, MOST_ROWS);
    if rows <= most {
        return (0..rows).collect();
    }
    (0..most).map(|i| (i * (rows - 1) + (most - 1) / 2) / (most - 1)).collect()
}

/// Centre (m), radius (m) and depth below the centre (m, negative) of what the shown rows reach.
fn ball(session: &Session, at: &[usize], ran_away: bool) -> ([f64; 3], f64, f64) {
    let mut boxes: Vec<[(f64, f64); 3]> = at.iter().map(|k| extent(session, *k)).collect();
    if ran_away {
        // By size; the largest twentieth is left out.
        boxes.sort_by(|a, b| reach(a).total_cmp(&reach(b)));
        boxes.truncate((boxes.len() * 19).div_ceil(20));
    }
    let nothing = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    let all = boxes.iter().fold(nothing, |all, each| {
        std::array::from_fn(|i| (all[i].0.min(each[i].0), all[i].1.max(each[i].1)))
    });
    if !all.iter().all(|(low, high)| low <= high) {
        return ([0.0; 3], 1.0, 0.0);
    }
    let centre = all.map(|(low, high)| low / 2.0 + high / 2.0);
    let half = all.map(|(low, high)| high / 2.0 - low / 2.0);
    let largest = half.iter().fold(0.0_f64, |a, b| a.max(*b));
    let size = centre.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    // All frames at one point, to rounding: any radius will do.
    if largest <= 1e-12 * size || largest < 1e-100 {
        return (centre, 1.0, 0.0);
    }
    let radius = largest * half.iter().map(|h| (h / largest).powi(2)).sum::<f64>().sqrt();
    (centre, radius, -half[2])
}

fn reach(extent: &[(f64, f64); 3]) -> f64 {
    extent.iter().fold(0.0, |m: f64, (low, high)| m.max(low.abs()).max(high.abs()))
}

fn extent(session: &Session, row: usize) -> [(f64, f64); 3] {
    std::array::from_fn(|i| {
        positions(session, row).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), position| {
            (low.min(position[i]), high.max(position[i]))
        })
    })
}

fn positions(session: &Session, row: usize) -> impl Iterator<Item = &[f64]> {
    session.segments().iter().flat_map(move |segment| {
        let rows = segment.trajectory();
        rows.poses[row * rows.frames..(row + 1) * rows.frames].iter().map(|pose| &pose[..3])
    })
}

fn sample(session: &Session, row: usize, origin: [f64; 3], radius: f64) -> Sample {
    // A picture shows less than a ten-millionth of its size; rounding in it only lengthens the file.
    let unit = 1e-7 * radius;
    let place = |position: &[f64]| -> [f64; 3] {
        std::array::from_fn(|i| seven_digits(((position[i] - origin[i]) / unit).round() * unit))
    };
    let each = || session.segments().iter();
    let of = |pick: fn(&Segment) -> &[f64]| -> Vec<f64> {
        let joint_rows = each().flat_map(|s| s.trajectory().of(pick(s), row));
        joint_rows.map(|x| seven_digits(*x)).collect()
    };
    Sample {
        xyz: positions(session, row).flat_map(place).collect(),
        q: of(|s| &s.trajectory().q),
        v: of(|s| &s.trajectory().v),
        told: of(|s| &s.trajectory().input),
        does: each().flat_map(|s| (0..s.trajectory().joints).map(|j| letter(s, row, j))).collect(),
    }
}

fn letter(segment: &Segment, row: usize, joint: usize) -> char {
    let rows = segment.trajectory();
    let below = |indicator: Option<f64>| indicator.is_some_and(|x| x < 0.0);
    let indicators = &rows.of(&rows.indicators, row)[joint];
    // Exactly: a joint that creeps moves.
    let still = rows.of(&rows.v, row)[joint] == 0.0;
    let code = match (segment.rung(), rows.of(&rows.pieces, row)[joint]) {
        _ if row == 0 => 0,
        (Rung::Kinematic(_), _) if below(indicators.stop_low) => 8,
        (Rung::Kinematic(_), _) if below(indicators.stop_high) => 9,
        (Rung::Kinematic(_), _) => {
            if still {
                11
            } else {
                4
            }
        }
        (_, Piece::SlideMinus) => 1,
        (_, Piece::SlidePlus) => 2,
        (_, Piece::Free) => {
            if still {
                10
            } else {
                3
            }
        }
        (_, Piece::Stick) => 5,
        (_, Piece::Lower) => 6,
        (_, Piece::Upper) => 7,
    };
    char::from(b'a' + code)
}

/// A number to seven digits, about what `f32` holds, without its bounds.
fn seven_digits(x: f64) -> f64 {
    // A formatted number reads back.
    let rounded = format!("{x:.6e}").parse().unwrap_or(x);
    if rounded == 0.0 { 0.0 } else { rounded }
}

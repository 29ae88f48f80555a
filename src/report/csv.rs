//! `trajectory.csv`.

use crate::model::quoted;
use crate::rollout::{Rung, Segment, Session};
use crate::step::Indicators;
use std::io::Write;

const POSE: [&str; 7] = ["x", "y", "z", "qw", "qx", "qy", "qz"];

/// Rows formatted at once by one thread.
const BLOCK: usize = 256;

type Indicator = fn(&Indicators<f64>) -> Option<f64>;

/// The indicators' columns, in order.
const INDICATORS: [(&str, Indicator); 4] = [
    ("stop.low", |i| i.stop_low),
    ("stop.high", |i| i.stop_high),
    ("friction.low", |i| i.friction_low),
    ("friction.high", |i| i.friction_high),
];

/// The names of the columns.
pub fn header(session: &Session) -> Vec<String> {
    let mut names = vec!["time".to_owned()];
    for segment in session.segments() {
        let name = quoted(segment.name());
        let model = segment.model();
        let joints: Vec<String> = model.joints().iter().map(|j| quoted(&j.name)).collect();
        let frames: Vec<String> = model.frames().iter().map(|f| quoted(&f.name)).collect();
        let own: &[&str] = match segment.rung() {
            Rung::Dynamic(_) => &["effort", "friction_impulse", "stop_impulse", "piece"],
            Rung::Kinematic(_) => &["command"],
        };
        let by_joint = ["q", "v"].iter().chain(own).copied().chain(INDICATORS.iter().map(|(name, _)| *name));
        for quantity in by_joint {
            names.extend(joints.iter().map(|joint| format!("{name}.{quantity}.{joint}")));
        }
        for (quantity, parts) in [("pose", &POSE[..]), ("angvel", &POSE[..3])] {
            for frame in &frames {
                names.extend(parts.iter().map(|part| format!("{name}.{quantity}.{frame}.{part}")));
            }
        }
        for last in ["energy.kinetic", "energy.potential", "solver.residual", "solver.settled"] {
            names.push(format!("{name}.{last}"));
        }
    }
    names
}

/// Writes the filled rows, numbers in their shortest form that reads back the same; settled is 1 or 0.
///
/// # Errors
/// The writer's.
pub fn write_csv(session: &Session, out: &mut impl Write) -> std::io::Result<()> {
    let mut names = ::csv::Writer::from_writer(Vec::new());
    names.write_record(header(session))?;
    out.write_all(&names.into_inner().map_err(|error| error.into_error())?)?;
    let rows: Vec<usize> = (0..session.rows()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let mut formatters: Vec<(Cells, Vec<u8>)> = (0..threads).map(|_| (Cells::new(), Vec::new())).collect();
    let mut ready: Vec<Vec<u8>> = vec![Vec::new(); threads];
    // One batch is formatted while the one before it is written.
    for batch in rows.chunks(BLOCK * threads).chain(std::iter::once(&[][..])) {
        std::thread::scope(|scope| {
            for (block, (cells, text)) in batch.chunks(BLOCK).zip(&mut formatters) {
                scope.spawn(move || block.iter().for_each(|k| row(session, *k, cells, text)));
            }
            ready.iter().try_for_each(|text| out.write_all(text))
        })?;
        for (text, (_, formatted)) in ready.iter_mut().zip(&mut formatters) {
            text.clear();
            std::mem::swap(text, formatted);
        }
    }
    Ok(())
}

fn row(session: &Session, k: usize, cells: &mut Cells, text: &mut Vec<u8>) {
    cells.number(session.time(k), text);
    for segment in session.segments() {
        segment_row(segment, k, cells, text);
    }
    text.push(b'\n');
}

fn segment_row(segment: &Segment, k: usize, cells: &mut Cells, text: &mut Vec<u8>) {
    let rows = segment.trajectory();
    let mut numbers = |list: &[f64], text: &mut Vec<u8>| {
        for x in list {
            text.push(b',');
            cells.number(*x, text);
        }
    };
    numbers(rows.of(&rows.q, k), text);
    numbers(rows.of(&rows.v, k), text);
    numbers(rows.of(&rows.input, k), text);
    if let Rung::Dynamic(_) = segment.rung() {
        numbers(rows.of(&rows.friction_impulse, k), text);
        numbers(rows.of(&rows.stop_impulse, k), text);
        for piece in rows.of(&rows.pieces, k) {
            text.push(b',');
            text.extend_from_slice(piece.name().as_bytes());
        }
    }
    for (_, of) in INDICATORS {
        for indicators in rows.of(&rows.indicators, k) {
            match of(indicators) {
                Some(x) => numbers(&[x], text),
                None => text.push(b','),
            }
        }
    }
    numbers(rows.poses[k * rows.frames..(k + 1) * rows.frames].as_flattened(), text);
    numbers(rows.angular[k * rows.frames..(k + 1) * rows.frames].as_flattened(), text);
    numbers(&[rows.kinetic[k], rows.potential[k], rows.residual[k]], text);
    text.extend_from_slice(if rows.settled[k] { b",1" } else { b",0" });
}

/// Numbers as text. Many come again (frames that stand still, frames of one body): the last few hundred are kept.
struct Cells {
    kept: Vec<Cell>,
}

/// A number and its text.
#[derive(Clone, Copy)]
struct Cell {
    bits: u64,
    /// Of the text; 0 in an empty cell.
    length: usize,
    text: [u8; LONGEST],
}

/// At least as long as the longest text of a number, `-1.2345678901234567e-308`.
const LONGEST: usize = 32;

impl Cells {
    fn new() -> Self {
        Cells { kept: vec![Cell { bits: 0, length: 0, text: [0; LONGEST] }; 1 << 9] }
    }

    fn number(&mut self, x: f64, text: &mut Vec<u8>) {
        let bits = x.to_bits();
        let cell = &mut self.kept[(bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize];
        if cell.bits != bits || cell.length == 0 {
            let mut buffer = zmij::Buffer::new();
            let new = buffer.format(x).as_bytes();
            cell.bits = bits;
            cell.length = new.len();
            cell.text[..new.len()].copy_from_slice(new);
        }
        // Copying a fixed length and cutting it is faster than copying a length that is not known.
        let end = text.len() + cell.length;
        text.extend_from_slice(&cell.text);
        text.truncate(end);
    }
}

//! Which side of its switches every joint was on, step by step; where two runs differ.

use super::Rung;
use crate::step::switches::{
    COUPLED_HIGH, COUPLED_LOW, FRICTION_HIGH, FRICTION_LOW, LIMIT_HIGH, LIMIT_LOW, STICK, STOP_HIGH, STOP_LOW,
};
use crate::step::{Outcome, Piece};

/// The sides of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sides {
    /// Step by step, one a joint.
    sides: Vec<Side>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Side {
    piece: Piece,
    /// Whether its lower and its upper stop are those that count, where stops of coupled joints meet.
    counts: [bool; 2],
    /// Where sweeps started from: the sign of their indicator.
    starts: Option<bool>,
}

/// A switch whose sides differ between runs.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Straddle {
    /// The switch's name.
    pub switch: &'static str,
    /// The joint whose law it is.
    pub joint: String,
    /// End of the first step in which they differ, s.
    pub time: f64,
}

impl Sides {
    /// Adds a step.
    pub fn keep(&mut self, out: &Outcome<f64>) {
        let side = |j: usize| Side {
            piece: out.pieces[j],
            counts: [out.coupled_low[j].is_some(), out.coupled_high[j].is_some()],
            starts: out.stick[j].map(|x| x < 0.0),
        };
        self.sides.extend((0..out.pieces.len()).map(side));
    }

    /// Every switch of a joint on whose side two runs of an arm are not one, where they first are not.
    pub fn straddled(&self, other: &Sides, rung: &Rung) -> Vec<Straddle> {
        let joints = rung.model().joints();
        let mut found: Vec<Straddle> = Vec::new();
        for (i, (a, b)) in self.sides.iter().zip(&other.sides).enumerate().filter(|(_, (a, b))| a != b) {
            let (k, joint) = (i / joints.len(), &joints[i % joints.len()].name);
            for switch in between(a, b, rung) {
                if !found.iter().any(|s| s.switch == switch && s.joint == *joint) {
                    found.push(Straddle { switch, joint: joint.clone(), time: (k + 1) as f64 * rung.dt() });
                }
            }
        }
        found
    }
}

/// The switches between two sides of one joint.
fn between(a: &Side, b: &Side, rung: &Rung) -> Vec<&'static str> {
    let (low, high) = match rung {
        Rung::Dynamic(_) => (&STOP_LOW, &STOP_HIGH),
        Rung::Kinematic(_) => (&LIMIT_LOW, &LIMIT_HIGH),
    };
    let differs = |is: &dyn Fn(&Side) -> bool| is(a) != is(b);
    let on_stop = |side: &Side| side.piece.stops();
    // Beside a stop, friction chooses nothing.
    let rubs = !on_stop(a) && !on_stop(b);
    let all = [
        (low, differs(&|s| s.piece == Piece::Lower)),
        (high, differs(&|s| s.piece == Piece::Upper)),
        (&FRICTION_HIGH, rubs && differs(&|s| s.piece == Piece::SlideMinus)),
        (&FRICTION_LOW, rubs && differs(&|s| s.piece == Piece::SlidePlus)),
        (&COUPLED_LOW, differs(&|s| s.counts[0])),
        (&COUPLED_HIGH, differs(&|s| s.counts[1])),
        (&STICK, a.starts != b.starts),
    ];
    all.iter().filter(|(_, is)| *is).map(|(switch, _)| switch.name).collect()
}

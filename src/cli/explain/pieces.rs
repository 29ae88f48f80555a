//! Pieces.

use super::word::{Kind, Word};
use crate::step::Piece;

/// Every piece, in the order of rising velocity.
const PIECES: [Piece; 6] =
    [Piece::Lower, Piece::SlideMinus, Piece::Stick, Piece::Free, Piece::SlidePlus, Piece::Upper];

pub(super) fn words() -> Vec<Word> {
    PIECES
        .into_iter()
        .map(|piece| {
            let (meaning, remedy) = text(piece);
            let mut word = Word::new(Kind::Piece, piece.name(), meaning, remedy, "");
            word.example = format!("{} in the array `SEG.piece` of trajectory.npz", piece.code()).into();
            word
        })
        .collect()
}

fn text(piece: Piece) -> (&'static str, &'static str) {
    match piece {
        Piece::Lower => (
            "The joint is at its lower stop at the end of the step: v = (lo - q)/dt, and the stop pushes it up.",
            "Its derivative is that of the stop: dv/dq = -1/dt, nothing by effort or friction. How far it is from leaving \
             is `arm.stop.low`. If it should not lean there, change its drive or its limits.",
        ),
        Piece::SlideMinus => (
            "The joint moves down (velocity below zero), and its friction pushes up with all it has: impulse +dt mu.",
            "The derivative by its friction is that of the effort dt mu. How far it is from sticking is \
             `arm.friction.low`.",
        ),
        Piece::Stick => (
            "The joint stands still, velocity exactly zero: what pushes it is less than its friction.",
            "Every derivative of its velocity is zero here, and that is right: it says nothing about the push at which it \
             would move. `arm.friction.low` and `arm.friction.high` say how much more effort that takes.",
        ),
        Piece::Free => (
            "The joint has no friction and is between its stops: no impulse of its own acts on it.",
            "Nothing: the step is smooth in this joint until it meets a stop.",
        ),
        Piece::SlidePlus => (
            "The joint moves up (velocity above zero), and its friction pushes down with all it has: impulse -dt mu.",
            "The derivative by its friction is that of the effort -dt mu. How far it is from sticking is \
             `arm.friction.high`.",
        ),
        Piece::Upper => (
            "The joint is at its upper stop at the end of the step: v = (hi - q)/dt, and the stop pushes it down.",
            "Its derivative is that of the stop: dv/dq = -1/dt, nothing by effort or friction. How far it is from leaving \
             is `arm.stop.high`. If it should not lean there, change its drive or its limits.",
        ),
    }
}

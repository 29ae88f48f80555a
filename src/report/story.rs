//! What happened in a run, in words.

use crate::rollout::{Rung, Segment, Session};
use crate::step::Piece;
use std::fmt::Write;

/// Steps in a row on a piece: first and last row.
type Span = (usize, usize);

/// Which joints met their stops and when, and how long each stuck: a line a joint of every dynamic segment.
pub fn story(session: &Session) -> String {
    let mut text = String::new();
    for segment in session.segments().iter().filter(|s| matches!(s.rung(), Rung::Dynamic(_))) {
        let width = segment.model().joints().iter().map(|j| j.name.chars().count()).max().unwrap_or(0);
        for (j, joint) in segment.model().joints().iter().enumerate() {
            let mut words = Vec::new();
            for (piece, stop) in [(Piece::Lower, "lower"), (Piece::Upper, "upper")] {
                let met = spans(segment, j, piece);
                if let Some((first, _)) = met.first() {
                    let times = if met.len() == 1 { String::new() } else { format!(", {} times", met.len()) };
                    let held = seconds(session, &met);
                    words.push(format!(
                        "met its {stop} stop at {:.3} s{times} and leaned on it for {held:.3} s",
                        session.time(first - 1)
                    ));
                }
            }
            if words.is_empty() {
                words.push("met no stop".to_owned());
            }
            words.push(stuck(session, segment, j));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:width$}  {}", joint.name, words.join("; "));
        }
    }
    text
}

fn stuck(session: &Session, segment: &Segment, joint: usize) -> String {
    let stuck = spans(segment, joint, Piece::Stick);
    match stuck.iter().max_by_key(|(first, last)| last - first) {
        None => "never stuck".into(),
        Some((first, last)) => format!(
            "stuck for {:.3} s in all, longest from {:.3} s to {:.3} s",
            seconds(session, &stuck),
            session.time(first - 1),
            session.time(*last)
        ),
    }
}

fn seconds(session: &Session, spans: &[Span]) -> f64 {
    let steps: usize = spans.iter().map(|(first, last)| last + 1 - first).sum();
    session.time(steps)
}

fn spans(segment: &Segment, joint: usize, piece: Piece) -> Vec<Span> {
    let rows = segment.trajectory();
    let mut found: Vec<Span> = Vec::new();
    for k in (1..rows.rows).filter(|k| rows.pieces[k * rows.joints + joint] == piece) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == k => *last = k,
            _ => found.push((k, k)),
        }
    }
    found
}

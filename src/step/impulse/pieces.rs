//! The pieces of a joint's graph of impulse against velocity.

use super::Bounds;
use crate::real::Real;
use crate::switch::lexicographic_sign;

/// Where on its graph of impulse `p` against velocity `v` a joint is, in the order of rising velocity.
///
/// | piece | velocity | impulse |
/// |---|---|---|
/// | `Lower` | at its lower bound | `p ≥ dt μ` |
/// | `SlideMinus` | below zero | `p = dt μ` |
/// | `Stick` | zero | `\|p\| ≤ dt μ` |
/// | `Free` (no friction) | within its bounds | `p = 0` |
/// | `SlidePlus` | above zero | `p = −dt μ` |
/// | `Upper` | at its upper bound | `p ≤ −dt μ` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[allow(missing_docs)] // the table above
pub enum Piece {
    #[serde(rename = "lower")]
    Lower,
    #[serde(rename = "slide-")]
    SlideMinus,
    #[serde(rename = "stick")]
    Stick,
    #[serde(rename = "free")]
    Free,
    #[serde(rename = "slide+")]
    SlidePlus,
    #[serde(rename = "upper")]
    Upper,
}

impl Piece {
    /// Its code in files: −2 lower, −1 slide−, 0 stick, 1 slide+, 2 upper, 9 free.
    pub fn code(self) -> i8 {
        match self {
            Piece::Lower => -2,
            Piece::SlideMinus => -1,
            Piece::Stick => 0,
            Piece::SlidePlus => 1,
            Piece::Upper => 2,
            Piece::Free => 9,
        }
    }

    /// The same for a joint that moves the other way.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Piece::Lower => Piece::Upper,
            Piece::SlideMinus => Piece::SlidePlus,
            Piece::SlidePlus => Piece::SlideMinus,
            Piece::Upper => Piece::Lower,
            same => same,
        }
    }

    /// The piece of a code.
    pub fn from_code(code: i8) -> Option<Self> {
        [Piece::Lower, Piece::SlideMinus, Piece::Stick, Piece::SlidePlus, Piece::Upper, Piece::Free]
            .into_iter()
            .find(|p| p.code() == code)
    }

    /// The piece that a velocity and an impulse lie on.
    pub(crate) fn of(bounds: &Bounds<f64>, velocity: f64, impulse: f64) -> Self {
        let friction = bounds.friction.unwrap_or(0.0);
        if bounds.lower.is_some_and(|l| velocity <= l) && impulse > friction {
            Piece::Lower
        } else if bounds.upper.is_some_and(|u| velocity >= u) && impulse < -friction {
            Piece::Upper
        } else if bounds.friction.is_none() {
            Piece::Free
        } else if velocity < 0.0 {
            Piece::SlideMinus
        } else if velocity > 0.0 {
            Piece::SlidePlus
        } else {
            Piece::Stick
        }
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Piece::Lower => "lower",
            Piece::SlideMinus => "slide-",
            Piece::Stick => "stick",
            Piece::SlidePlus => "slide+",
            Piece::Upper => "upper",
            Piece::Free => "free",
        }
    }

    /// On a stop.
    pub fn stops(self) -> bool {
        matches!(self, Piece::Lower | Piece::Upper)
    }

    /// Which way it slides against friction: −1, 1, or 0.
    pub(crate) fn slides<T: Real>(self) -> T {
        match self {
            Piece::SlideMinus => -T::one(),
            Piece::SlidePlus => T::one(),
            _ => T::zero(),
        }
    }

    /// Its velocity is given, and its impulse follows.
    pub(crate) fn held(self) -> bool {
        matches!(self, Piece::Lower | Piece::Stick | Piece::Upper)
    }
}

/// A joint's whole graph at one step: bounds compared once, in the lexicographic order.
pub(crate) struct Graph<'a, T> {
    bounds: &'a Bounds<T>,
    /// Sign of the lower bound; −1 without one.
    lower: i8,
    /// Sign of the upper bound; 1 without one.
    upper: i8,
}

/// Which way along its graph a joint has to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Down,
    Up,
}

impl<'a, T: Real> Graph<'a, T> {
    pub fn new(bounds: &'a Bounds<T>) -> Self {
        Graph {
            bounds,
            lower: bounds.lower.map_or(-1, lexicographic_sign),
            upper: bounds.upper.map_or(1, lexicographic_sign),
        }
    }

    /// Whether the piece exists and has more than one point.
    pub fn has(&self, piece: Piece) -> bool {
        let friction = self.bounds.friction.is_some();
        match piece {
            Piece::Lower => self.bounds.lower.is_some(),
            Piece::SlideMinus => friction && self.lower < 0 && self.bounds.is_wide(),
            Piece::Stick => friction && self.lower <= 0 && self.upper >= 0,
            Piece::Free => !friction && self.bounds.is_wide(),
            Piece::SlidePlus => friction && self.upper > 0 && self.bounds.is_wide(),
            Piece::Upper => self.bounds.upper.is_some(),
        }
    }

    /// The next piece that exists, if any.
    pub fn next(&self, piece: Piece, way: Way) -> Option<Piece> {
        const ORDER: [Piece; 6] =
            [Piece::Lower, Piece::SlideMinus, Piece::Stick, Piece::Free, Piece::SlidePlus, Piece::Upper];
        let here = ORDER.iter().position(|p| *p == piece).unwrap_or(0);
        match way {
            Way::Down => ORDER[..here].iter().rev().copied().find(|p| self.has(*p)),
            Way::Up => ORDER[here + 1..].iter().copied().find(|p| self.has(*p)),
        }
    }

    /// The nearest existing piece to one that was guessed.
    pub fn nearest(&self, piece: Piece) -> Piece {
        if self.has(piece) {
            return piece;
        }
        // Sticking is taken over by the stop that leaves no room for standing still.
        if piece == Piece::Stick && self.lower > 0 {
            return Piece::Lower;
        }
        self.next(piece, Way::Up).or_else(|| self.next(piece, Way::Down)).unwrap_or(Piece::Free)
    }

    /// The velocity of a held piece.
    pub fn velocity(&self, piece: Piece) -> T {
        match piece {
            Piece::Lower => self.bounds.lower.unwrap_or_else(T::zero),
            Piece::Upper => self.bounds.upper.unwrap_or_else(T::zero),
            _ => T::zero(),
        }
    }

    /// The impulse of a moving piece.
    pub fn impulse(&self, piece: Piece) -> T {
        let friction = self.bounds.friction.unwrap_or_else(T::zero);
        match piece {
            Piece::SlideMinus => friction,
            Piece::SlidePlus => -friction,
            _ => T::zero(),
        }
    }

    /// What the piece demands, as a violation where it fails: how far (positive) and which way to go.
    ///
    /// `velocity` and `impulse` are the joint's; of a moving piece the velocity is judged, of a held one the impulse.
    pub fn violation(&self, piece: Piece, velocity: T, impulse: T) -> Option<(T, Way)> {
        let friction = self.bounds.friction.unwrap_or_else(T::zero);
        let (lower, upper) = (self.bounds.lower, self.bounds.upper);
        let below = |amount: Option<T>| amount.filter(|a| lexicographic_sign(*a) > 0).map(|a| (a, Way::Down));
        let above = |amount: Option<T>| amount.filter(|a| lexicographic_sign(*a) > 0).map(|a| (a, Way::Up));
        match piece {
            Piece::Free => below(lower.map(|l| l - velocity)).or_else(|| above(upper.map(|u| velocity - u))),
            Piece::SlideMinus => {
                let top = upper.filter(|_| self.upper < 0).unwrap_or_else(T::zero);
                below(lower.map(|l| l - velocity)).or_else(|| above(Some(velocity - top)))
            }
            Piece::SlidePlus => {
                let bottom = lower.filter(|_| self.lower > 0).unwrap_or_else(T::zero);
                below(Some(bottom - velocity)).or_else(|| above(upper.map(|u| velocity - u)))
            }
            Piece::Stick => below(Some(impulse - friction)).or_else(|| above(Some(-friction - impulse))),
            Piece::Lower => above(Some(if self.lower > 0 { -friction } else { friction } - impulse)),
            Piece::Upper => below(Some(impulse - if self.upper < 0 { friction } else { -friction })),
        }
    }

    /// Exactly between two pieces, with no tangent to say which side it takes.
    pub fn on_the_edge(&self, piece: Piece, velocity: T, impulse: T) -> bool {
        let friction = self.bounds.friction.unwrap_or_else(T::zero);
        let at = |x: T| lexicographic_sign(x) == 0;
        let at_bound = |bound: Option<T>| bound.is_some_and(|b| at(velocity - b));
        match piece {
            Piece::Free | Piece::SlideMinus | Piece::SlidePlus => {
                at_bound(self.bounds.lower)
                    || at_bound(self.bounds.upper)
                    || self.bounds.friction.is_some() && at(velocity)
            }
            Piece::Stick => at(impulse - friction) || at(impulse + friction),
            Piece::Lower => at(impulse - if self.lower > 0 { -friction } else { friction }),
            Piece::Upper => at(impulse - if self.upper < 0 { friction } else { -friction }),
        }
    }
}

//! The status of one step.

use super::{Observed, Switch};
use crate::real::Real;

/// The switch that a step came nearest to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepNear {
    /// The switch's name.
    pub switch: &'static str,
    /// The joint's index in the model; of a law that is no joint's, its owner's index in the observer.
    pub joint: usize,
    /// The indicator.
    pub value: f64,
    /// Nearer to zero than this counts as near.
    pub margin: f64,
}

/// The status of a derivative through one step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct StepStatus {
    /// The worst that was seen.
    pub observed: Observed,
    /// The switch nearest in units of its margin, near or not.
    pub nearest: Option<StepNear>,
    /// Whether the solve settled.
    pub settled: bool,
    /// What it left, N m s or N s.
    pub residual: f64,
}

impl StepStatus {
    /// Before any step: nothing is known, so nothing is promised.
    pub(crate) fn unknown() -> Self {
        StepStatus { observed: Observed::Unsettled, nearest: None, settled: false, residual: f64::NAN }
    }
}

/// What a switch does to an output at worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    /// Nothing up to its first derivative.
    Smooth,
    Kink,
    Jump,
}

impl Break {
    /// Of an order of non-smoothness.
    pub fn of_order(order: i8) -> Self {
        match order {
            ..=-1 => Break::Jump,
            0 => Break::Kink,
            _ => Break::Smooth,
        }
    }

    /// Of a group of outputs. A switch that declares no orders counts as a kink of all.
    pub fn of(switch: &Switch, group: &str) -> Self {
        if switch.orders.is_empty() {
            return Break::Kink;
        }
        let order = switch.orders.iter().find(|(name, _)| *name == group);
        order.map_or(Break::Smooth, |(_, order)| Break::of_order(*order))
    }

    /// The worst over all groups.
    pub fn worst(switch: &Switch) -> Self {
        let each = switch.orders.iter().map(|(_, order)| Break::of_order(*order));
        each.max().unwrap_or(Break::Kink)
    }

    /// What an indicator within its margin makes of a derivative.
    pub fn near(self, exactly_zero: bool) -> Observed {
        match self {
            Break::Smooth => Observed::Exact,
            Break::Kink if exactly_zero => Observed::OneSided,
            Break::Kink => Observed::ExactBranch,
            Break::Jump => Observed::Jump,
        }
    }
}

/// What has been seen of a step so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub observed: Observed,
    /// In margins, which one, and the value.
    margins: f64,
    pub at: usize,
    value: f64,
}

impl Seen {
    pub const NOTHING: Seen =
        Seen { observed: Observed::Exact, margins: f64::INFINITY, at: usize::MAX, value: 0.0 };

    /// An indicator of the switch `at`, so many margins from zero.
    #[inline]
    pub fn note(&mut self, at: usize, value: f64, margins: f64) {
        if margins < self.margins {
            (self.margins, self.at, self.value) = (margins, at, value);
        }
    }

    /// It is within its margin.
    pub fn near(&mut self, value: f64, kind: Break) {
        self.observed = self.observed.max(kind.near(value == 0.0));
    }

    /// The step's status; `switch` says name, joint and margin of the one that was nearest.
    pub fn status(
        self,
        settled: bool,
        residual: f64,
        switch: impl FnOnce(usize) -> (&'static str, usize, f64),
    ) -> StepStatus {
        let nearest = (self.at != usize::MAX).then(|| {
            let (switch, joint, margin) = switch(self.at);
            StepNear { switch, joint, value: self.value, margin }
        });
        let observed = if settled { self.observed } else { Observed::Unsettled };
        StepStatus { observed, nearest, settled, residual }
    }
}

/// The value of an indicator, and whether it is a tie that no tangent decides.
#[inline]
pub(crate) fn reading<T: Real>(indicator: &T) -> (f64, bool) {
    let value = indicator.primal();
    (value, value == 0.0 && indicator.tangent_sign() == 0)
}

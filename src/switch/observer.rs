//! Watches switches through a run.

use super::mark::Mark;
use super::near::{GroupStatus, Near, Undecided};
use super::reach::{Coordinate, Family, GROUPS, Reach};
use super::step_status::{Break, Seen, StepStatus};
use super::{Declared, GradientStatus, Observed, Switch};
use crate::error::{Error, Result};
use crate::real::Real;

/// One switch of one joint, watched by an [`Observer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watch(pub(crate) usize);

/// Watches the switches of a run, and says at the end what a derivative through it is worth.
///
/// Arms make one for their own switches ([`DynamicArm::observer`](crate::step::DynamicArm::observer)); a law of a user's own
/// adds its own. Everything is sized when a switch is added: a step allocates nothing.
///
/// ```
/// use articula::switch::{Observed, Observer, Switch};
///
/// const EMPTY: Switch = Switch {
///     name: "tank.empty", indicator: "what is left", unit: "kg", orders: &[("joint_velocities", -1)], route: "none",
/// };
/// let mut observer = Observer::new();
/// let empty = observer.watch(&EMPTY, "thruster", 1e-6)?;
/// for (time, left) in [(0.1, 0.2), (0.2, -0.3)] {
///     observer.note(empty, left, time);
///     let _ = observer.close(true, 0.0, time);
/// }
/// let status = observer.status();
/// assert_eq!(status.observed, Observed::Jump); // it changed side
/// assert_eq!(status.group("joint_positions").map(|g| g.status), Some(Observed::Exact));
/// # Ok::<(), articula::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Observer {
    watched: Vec<Watched>,
    pub(crate) marks: Vec<Mark>,
    /// Where an arm finds the indicators of the first watches; to the observer it means nothing.
    pub(crate) sources: Vec<Source>,
    pub(crate) reach: Reach,
    /// Joints by name, in model order, with their coordinates; after them owners of other laws.
    owners: Vec<String>,
    joints: Vec<usize>,
    groups: Vec<&'static str>,
    pub(crate) seen: Seen,
    steps: u64,
    unsettled: u64,
    unsettled_time: Option<f64>,
    residual: f64,
}

/// Where an arm finds the indicators of some watches in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub joint: usize,
    pub coordinate: usize,
    /// The first of the watches.
    pub first: usize,
    /// A bit for each kind of indicator.
    pub kinds: u8,
}

/// A switch as it was declared, and whose it is.
#[derive(Clone, Debug)]
struct Watched {
    switch: Switch,
    owner: usize,
    unit: &'static str,
    margin: f64,
}

impl Observer {
    /// One that watches nothing yet.
    pub fn new() -> Self {
        Self::of(Family::Efforts, Vec::new(), Vec::new())
    }

    /// Of an arm: its coordinates, and its joints with the coordinate of each.
    pub(crate) fn of(family: Family, coordinates: Vec<Coordinate>, joints: Vec<(String, usize)>) -> Self {
        let (owners, joints) = joints.into_iter().unzip();
        Observer {
            watched: Vec::new(),
            marks: Vec::new(),
            sources: Vec::new(),
            reach: Reach::new(family, coordinates),
            owners,
            joints,
            groups: GROUPS.to_vec(),
            seen: Seen::NOTHING,
            steps: 0,
            unsettled: 0,
            unsettled_time: None,
            residual: 0.0,
        }
    }

    /// Watch a switch of a joint, or of whatever owns its law: nearer to zero than `margin` it counts as near.
    ///
    /// Its groups ([`Switch::orders`]) are the observer's from here on, beside those of an arm.
    ///
    /// # Errors
    /// [`Error::Value`] for a margin that is not a positive number.
    pub fn watch(&mut self, switch: &Switch, owner: &str, margin: f64) -> Result<Watch> {
        positive(margin, switch.name)?;
        Ok(self.watch_in(switch, switch.unit, owner, margin))
    }

    /// In the unit of this joint, where the switch's depends on that.
    pub(crate) fn watch_in(
        &mut self,
        switch: &Switch,
        unit: &'static str,
        owner: &str,
        margin: f64,
    ) -> Watch {
        let owner = self.owners.iter().position(|name| name == owner).unwrap_or_else(|| {
            self.owners.push(owner.to_owned());
            self.owners.len() - 1
        });
        for (group, _) in switch.orders {
            if !self.groups.contains(group) {
                self.groups.push(group);
            }
        }
        let at = self.watched.len();
        self.watched.push(Watched { switch: *switch, owner, unit, margin });
        self.marks.push(Mark::new(at, Break::worst(switch), margin));
        Watch(at)
    }

    /// The watch of a switch and a joint, if there is one.
    pub fn find(&self, switch: &str, owner: &str) -> Option<Watch> {
        let is = |w: &Watched| w.switch.name == switch && self.owners[w.owner] == owner;
        self.watched.iter().position(is).map(Watch)
    }

    /// What a watched switch came to at its nearest so far; `None` before its indicator was noted.
    pub fn nearest(&self, watch: Watch) -> Option<Near> {
        let (watched, mark) = (&self.watched[watch.0], &self.marks[watch.0]);
        mark.size.is_finite().then(|| self.near(watched, mark, mark.kind))
    }

    /// The name of an owner, by the index that [`StepStatus::nearest`] has: joints in model order, then others.
    pub fn owner(&self, index: usize) -> Option<&str> {
        self.owners.get(index).map(String::as_str)
    }

    /// Another margin for a switch: of one joint, or of all.
    ///
    /// # Errors
    /// [`Error::Value`]: a margin that is not a positive number, a switch or joint that is not watched.
    pub fn set_margin(&mut self, switch: &str, owner: Option<&str>, margin: f64) -> Result<()> {
        positive(margin, switch)?;
        let mut any = false;
        for (watched, mark) in self.watched.iter_mut().zip(&mut self.marks) {
            let own = owner.is_none_or(|name| self.owners[watched.owner] == name);
            if watched.switch.name == switch && own {
                (watched.margin, mark.per_margin) = (margin, margin.recip());
                any = true;
            }
        }
        if any {
            return Ok(());
        }
        let of = owner.map(|name| format!(" of `{name}`")).unwrap_or_default();
        let mut names: Vec<&str> = self.watched.iter().map(|w| w.switch.name).collect();
        names.sort_unstable();
        names.dedup();
        let expected = match names[..] {
            [] => "a switch that is watched; none is".to_owned(),
            _ => format!("a switch that is watched, of a joint that has it: {}", names.join(", ")),
        };
        Err(Error::value(&format!("margin of {switch}{of}"), "nothing of that name", &expected))
    }

    /// The decision inputs are those of these joints alone; without this, of all. A joint that follows another stands for
    /// the one it follows.
    ///
    /// # Errors
    /// [`Error::Value`] for a joint the arm does not have.
    pub fn set_inputs(&mut self, joints: &[&str]) -> Result<()> {
        let mut acts = vec![false; self.reach.coordinates.len()];
        for name in joints {
            let known = &self.owners[..self.joints.len()];
            let Some(j) = known.iter().position(|owner| owner == name) else {
                let expected = format!("a joint of the arm: {}", known.join(", "));
                return Err(Error::value("decision inputs", format!("`{name}`"), &expected));
            };
            acts[self.joints[j]] = true;
        }
        self.reach.only(|c| acts[c]);
        Ok(())
    }

    /// An indicator in the step that ends at `time`, s.
    #[inline]
    pub fn note<T: Real>(&mut self, watch: Watch, indicator: T, time: f64) {
        self.marks[watch.0].note(indicator, time, &mut self.seen);
    }

    /// A tie that whoever settles it could not decide by any tangent, in the step that ends at `time`, s.
    pub fn undecided(&mut self, watch: Watch, time: f64) {
        let mark = &mut self.marks[watch.0];
        mark.tie(time);
        self.seen.observed = self.seen.observed.max(mark.kind.near(true));
    }

    /// The solve met a tie in this step, whatever rounding made of the indicators: the switch that was nearest is on it.
    pub(crate) fn tied(&mut self, time: f64) {
        let Some(mark) = self.marks.get_mut(self.seen.at) else { return };
        let tie = mark.kind.near(true);
        if self.seen.observed < tie {
            mark.zero.get_or_insert(time);
            mark.tie(time);
            self.seen.observed = tie;
        }
    }

    /// Ties have been settled by what is differentiated by, but for those in the steps that end at these times, of these
    /// coordinates.
    pub(crate) fn settled(&mut self, open: &[(usize, f64)]) {
        for (watched, mark) in self.watched.iter().zip(&mut self.marks) {
            let own = self.joints.get(watched.owner);
            let mut open = open.iter().filter(|(coordinate, _)| Some(coordinate) == own);
            let first = open.next().map(|(_, time)| *time);
            mark.undecided = mark.undecided.and(first).map(|time| (time, 1 + open.count() as u64));
        }
    }

    /// The step ends: its own status. Whether it settled and what it left, N m s or N s; when it ends, s.
    pub fn close(&mut self, settled: bool, residual: f64, time: f64) -> StepStatus {
        self.steps += 1;
        self.residual = self.residual.max(residual);
        if !settled {
            self.unsettled += 1;
            self.unsettled_time.get_or_insert(time);
        }
        let seen = std::mem::replace(&mut self.seen, Seen::NOTHING);
        seen.status(settled, residual, |at| {
            let Watched { switch, owner, margin, .. } = &self.watched[at];
            (switch.name, *owner, *margin)
        })
    }

    /// Forget every step; what is watched, margins and inputs stay.
    pub fn clear(&mut self) {
        for mark in &mut self.marks {
            *mark = Mark { per_margin: mark.per_margin, ..Mark::new(mark.watch, mark.kind, 1.0) };
        }
        self.reach.clear();
        self.seen = Seen::NOTHING;
        (self.steps, self.unsettled, self.unsettled_time, self.residual) = (0, 0, None, 0.0);
    }

    /// The status of the steps so far.
    pub fn status(&self) -> GradientStatus {
        let unsettled = self.unsettled > 0;
        let groups: Vec<GroupStatus> = self.groups.iter().map(|name| self.group(name, unsettled)).collect();
        let worst = groups.iter().map(|group| group.status).max().unwrap_or(Observed::Exact);
        let part = |which: fn((f64, f64)) -> f64| {
            let joints = self.owners.iter().zip(&self.joints);
            joints.map(|(name, c)| (name.clone(), which(self.reach.held(*c)))).collect()
        };
        let undecided = self.watched.iter().zip(&self.marks).filter_map(|(watched, mark)| {
            let (time, times) = mark.undecided?;
            let joint = self.owners[watched.owner].clone();
            Some(Undecided { switch: watched.switch.name, joint, time, times })
        });
        let arm = !self.reach.coordinates.is_empty();
        GradientStatus {
            declared: if self.watched.is_empty() { Declared::Exact } else { Declared::PiecewiseKink },
            observed: worst,
            groups,
            stuck_fraction: part(|held| held.0),
            stop_fraction: part(|held| held.1),
            residual: self.residual,
            settled: !unsettled,
            steps: self.steps,
            unsettled_steps: self.unsettled,
            unsettled_time: self.unsettled_time,
            undecided: undecided.collect(),
            vanishing: self.reach.vanishing(),
            inputs: if arm { vec![self.reach.family.name()] } else { Vec::new() },
        }
    }

    fn group(&self, name: &'static str, unsettled: bool) -> GroupStatus {
        let mut group = GroupStatus { name, status: Observed::Exact, margin: None, near: Vec::new() };
        if unsettled {
            group.status = Observed::Unsettled;
        }
        let mut least = f64::INFINITY;
        for (watched, mark) in self.watched.iter().zip(&self.marks) {
            let kind = Break::of(&watched.switch, name);
            if kind == Break::Smooth {
                continue;
            }
            let margins = mark.size * mark.per_margin;
            let crossed = mark.crossed.filter(|_| kind == Break::Jump);
            let tied = mark.zero.is_some() || mark.undecided.is_some();
            if margins <= 1.0 || tied || crossed.is_some() {
                group.status = group.status.max(kind.near(tied));
                if mark.size.is_finite() {
                    group.near.push(self.near(watched, mark, kind));
                }
            }
            if margins < least {
                least = margins;
                group.margin = Some(self.near(watched, mark, kind));
            }
        }
        group
    }

    fn near(&self, watched: &Watched, mark: &Mark, kind: Break) -> Near {
        Near {
            switch: watched.switch.name,
            joint: self.owners[watched.owner].clone(),
            time: mark.time,
            value: mark.value,
            margin: watched.margin,
            unit: watched.unit,
            jumps: kind == Break::Jump,
            zero_time: mark.zero,
            crossed_time: mark.crossed.filter(|_| kind == Break::Jump),
        }
    }
}

impl Default for Observer {
    fn default() -> Self {
        Self::new()
    }
}

fn positive(margin: f64, switch: &str) -> Result<()> {
    if margin > 0.0 && margin.is_normal() {
        return Ok(());
    }
    Err(Error::value(
        &format!("margin of {switch}"),
        margin,
        "a positive number, in the unit of the indicator",
    ))
}

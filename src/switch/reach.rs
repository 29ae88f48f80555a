//! Which outputs any input reaches at all.
//!
//! A joint that moves depends on what acts; one that sticks has no velocity and keeps where it is; one on a stop has left where
//! it was (`q⁺` is the limit, `v⁺ = (limit − q)/dt`). Followed step by step with one flag each for a coordinate's position and
//! velocity, that says which outputs have a derivative that is zero whatever the numbers are.

use super::near::Vanishing;

/// What a coordinate did in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Moves,
    /// Held by friction.
    Sticks,
    /// Held on a stop, or commanded beyond a limit.
    Stops,
}

/// What moves the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// All of them together, through the machine's inertia.
    Efforts,
    /// Each alone; with a lag it keeps a part of where it was.
    Commands { lag: bool },
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Family::Efforts => "efforts",
            Family::Commands { .. } => "commands",
        }
    }
}

/// The output groups of an arm.
pub(crate) const GROUPS: [&str; 4] =
    ["frame_poses", "frame_angular_velocities", "joint_positions", "joint_velocities"];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    /// Whether it turns any body.
    pub turns: bool,
    /// Whether an input acts on it.
    pub acts: bool,
    /// The joint that stands for it.
    leader: usize,
    /// Whether its position is a limit's, and has been since a stop put it there.
    placed: bool,
    /// It sticks there: the stop's indicator is zero whatever the inputs are, and no choice is left in that.
    pub rests: bool,
    position: bool,
    velocity: bool,
    stuck: u64,
    stopped: u64,
}

impl Coordinate {
    /// `locked`: its limits are one.
    pub fn new(leader: usize, turns: bool, locked: bool) -> Self {
        Coordinate {
            turns,
            acts: true,
            leader,
            placed: locked,
            rests: false,
            position: false,
            velocity: false,
            stuck: 0,
            stopped: 0,
        }
    }
}

/// The coordinates of an arm, and what the inputs reach.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub family: Family,
    pub coordinates: Vec<Coordinate>,
    start: Vec<Coordinate>,
    steps: u64,
    /// Whether any coordinate depends on an input.
    reached: bool,
    /// Groups reached at the end of the last step, and of any.
    now: [bool; 4],
    ever: [bool; 4],
}

impl Reach {
    pub fn new(family: Family, coordinates: Vec<Coordinate>) -> Self {
        let start = coordinates.clone();
        Reach { family, coordinates, start, steps: 0, reached: false, now: [false; 4], ever: [false; 4] }
    }

    /// Only these coordinates have inputs.
    pub fn only(&mut self, acts: impl Fn(usize) -> bool) {
        for (c, (now, start)) in self.coordinates.iter_mut().zip(&mut self.start).enumerate() {
            (now.acts, start.acts) = (acts(c), acts(c));
        }
    }

    /// Back to before the first step.
    pub fn clear(&mut self) {
        self.coordinates.copy_from_slice(&self.start);
        (self.steps, self.reached, self.now, self.ever) = (0, false, [false; 4], [false; 4]);
    }

    /// A step, by what the joints that stand for the coordinates did. One that did not settle is on no piece: everything may
    /// have moved.
    pub fn step(&mut self, settled: bool, motion: impl Fn(usize) -> Motion) {
        self.steps += 1;
        let together = self.family == Family::Efforts;
        let lag = matches!(self.family, Family::Commands { lag: true });
        if !settled {
            for x in &mut self.coordinates {
                x.stuck += u64::from(motion(x.leader) == Motion::Sticks);
                x.stopped += u64::from(motion(x.leader) == Motion::Stops);
            }
        }
        let did = |x: &Coordinate| if settled { motion(x.leader) } else { Motion::Moves };
        let moved = |x: &Coordinate| x.acts && did(x) == Motion::Moves;
        let acted = self.reached || self.coordinates.iter().any(moved);
        let (mut position, mut velocity) = (false, false);
        let (mut turn, mut turned, mut turning) = (false, false, false);
        for x in &mut self.coordinates {
            match did(x) {
                Motion::Moves => {
                    let before = x.position;
                    (x.position, x.velocity) = match together {
                        true => (acted, acted),
                        false => (x.acts || lag && before, x.acts || before),
                    };
                    (x.placed, x.rests) = (false, false);
                    turning |= x.turns;
                }
                Motion::Sticks => {
                    x.stuck += 1;
                    x.velocity = false;
                    x.rests = x.placed;
                }
                Motion::Stops => {
                    x.stopped += 1;
                    x.velocity = x.position;
                    x.position &= lag;
                    (x.placed, x.rests) = (true, false);
                    turning |= x.turns;
                }
            }
            position |= x.position;
            velocity |= x.velocity;
            turn |= x.turns && x.velocity;
            turned |= x.turns && x.position;
        }
        self.reached = position || velocity;
        // Where nothing turns, angular velocities are zero in every pose.
        self.now = [position, turn || turned && turning, position, velocity];
        self.ever.iter_mut().zip(self.now).for_each(|(ever, now)| *ever |= now);
    }

    /// Groups that no input changes. Nothing is said before a step, nor of turning where no joint turns.
    pub fn vanishing(&self) -> Vec<Vanishing> {
        let turns = self.coordinates.iter().any(|x| x.turns);
        let has = |group: usize| self.steps > 0 && !self.coordinates.is_empty() && (turns || group != 1);
        let vanish = (0..GROUPS.len()).filter(|&g| has(g) && !self.now[g]);
        let inputs = self.family.name();
        vanish.map(|g| Vanishing { group: GROUPS[g], inputs, throughout: !self.ever[g] }).collect()
    }

    /// The parts of the steps in which a coordinate was stuck, and on a stop.
    pub fn held(&self, c: usize) -> (f64, f64) {
        let (x, steps) = (&self.coordinates[c], self.steps.max(1) as f64);
        (x.stuck as f64 / steps, x.stopped as f64 / steps)
    }
}

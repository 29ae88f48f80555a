//! Deciding, recording and replaying the sides of switches.

use super::Switch;
use std::collections::HashMap;

/// What a switch chose: the piece, and whether the tie it stood on is still undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The piece, by the owner's numbering: for a clamp −1 below, 0 inside, 1 above.
    pub piece: i8,
    /// An indicator was exactly zero and no tangent decided it; `piece` is then the law's convention.
    pub open: bool,
}

/// Where a choice was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The step.
    pub step: u64,
    /// Which of several machines or laws that share a script; 0 for one alone.
    pub owner: u32,
    /// The switch's name.
    pub switch: &'static str,
    /// The joint; with sweeps, visit by visit.
    pub instance: u64,
}

/// The sides taken, keyed by [`Place`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    sides: HashMap<Place, Choice>,
}

impl Script {
    /// How many choices it holds.
    pub fn len(&self) -> usize {
        self.sides.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Ties that no tangent has decided, in order.
    pub fn open_ties(&self) -> Vec<Place> {
        let mut ties: Vec<_> = self.sides.iter().filter(|(_, c)| c.open).map(|(&k, _)| k).collect();
        ties.sort_unstable();
        ties
    }

    /// The choice recorded at a place, if any.
    pub fn get(&self, place: &Place) -> Option<Choice> {
        self.sides.get(place).copied()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Free,
    Record,
    Replay,
}

/// Where every choice of a law passes through.
///
/// *Free* only decides, and allocates nothing. *Record* also writes the sides into a [`Script`]. *Replay* takes them
/// from one, whatever the values are now: the other passes of a Jacobian then differentiate the same piece, and a
/// script can be replayed at other inputs. A tie recorded as open is decided by the first pass whose tangents do.
#[derive(Clone, Debug)]
pub struct Choices {
    mode: Mode,
    step: u64,
    owner: u32,
    script: Script,
    missing: u64,
}

impl Choices {
    /// Decide by the values, keep nothing.
    pub fn free() -> Self {
        Self::new(Mode::Free, Script::default())
    }

    /// Decide by the values and keep the sides.
    pub fn record() -> Self {
        Self::new(Mode::Record, Script::default())
    }

    /// Take the sides from a script.
    pub fn replay(script: Script) -> Self {
        Self::new(Mode::Replay, script)
    }

    fn new(mode: Mode, script: Script) -> Self {
        Choices { mode, step: 0, owner: 0, script, missing: 0 }
    }

    /// Whether choices are neither kept nor given.
    pub fn is_free(&self) -> bool {
        self.mode == Mode::Free
    }

    /// From now on one switch takes these sides, one an instance from 0, in a replay of no step in particular.
    pub(crate) fn hold(&mut self, switch: &Switch, pieces: impl Iterator<Item = i8>) {
        for (instance, piece) in pieces.enumerate() {
            let place = self.place(switch, instance as u64);
            self.script.sides.insert(place, Choice { piece, open: false });
        }
    }

    /// The step the next choices belong to. Whoever runs a trajectory sets it.
    pub fn at_step(&mut self, step: u64) {
        self.step = step;
    }

    /// The machine or law the next choices belong to, where several share a script.
    pub fn of_owner(&mut self, owner: u32) {
        self.owner = owner;
    }

    fn place(&self, switch: &Switch, instance: u64) -> Place {
        Place { step: self.step, owner: self.owner, switch: switch.name, instance }
    }

    /// The script as it stands.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The script, for a replay.
    pub fn into_script(self) -> Script {
        self.script
    }

    /// Choices that a replayed script did not hold (decided by the values instead).
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// The piece at one place of one switch; `decide` is called where no script says.
    #[inline]
    pub fn choose(&mut self, switch: &Switch, instance: u64, decide: impl FnOnce() -> Choice) -> i8 {
        if self.mode == Mode::Free {
            return decide().piece;
        }
        self.scripted(switch, instance, decide)
    }

    /// What the script says of a place, where one is replayed and it is not an open tie.
    pub fn scripted_piece(&self, switch: &Switch, instance: u64) -> Option<i8> {
        let replayed = self.mode == Mode::Replay;
        self.script.get(&self.place(switch, instance)).filter(|c| replayed && !c.open).map(|c| c.piece)
    }

    fn scripted(&mut self, switch: &Switch, instance: u64, decide: impl FnOnce() -> Choice) -> i8 {
        let key = self.place(switch, instance);
        let known = self.script.sides.get(&key).copied();
        match known {
            Some(c) if self.mode == Mode::Replay && !c.open => return c.piece,
            None if self.mode == Mode::Replay => self.missing += 1,
            _ => {}
        }
        let choice = decide();
        if self.mode == Mode::Record || known.is_some() {
            self.script.sides.insert(key, choice);
        }
        choice.piece
    }
}

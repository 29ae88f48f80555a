//! Joints that follow others: the coordinates that are left.
//!
//! A follower's position is a linear function of its leader's, `q_B = m q_A + o`; chains compose. So `q = J y + o` with
//! `y` the positions of the joints that follow none, and with constant `J`
//!
//! ```text
//! v = J ẏ      v̇ = J ÿ      M_y = Jᵀ M J      τ_y = Jᵀ τ
//! ```
//!
//! A model without followers has `J = 1`, and everything here copies.

use super::Joint;
use super::tree::{Mounting, Tree};
use crate::error::{Error, Result};
use crate::real::Real;

/// A joint held to another by a linear law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic<T> {
    /// Index of the joint it follows, which may follow another.
    pub leader: usize,
    /// Its velocity over the leader's.
    pub multiplier: T,
    /// Its position where the leader's is zero, rad; m.
    pub offset: T,
}

impl<T: Real> Mimic<T> {
    pub(super) fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Mimic<U> {
        Mimic { leader: self.leader, multiplier: f(self.multiplier), offset: f(self.offset) }
    }
}

/// Sizes of multipliers: beyond them a joint's stop and its leader's position are not numbers of one scale.
const SIZES: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// A joint's place in its group: the joints that move as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member<T> {
    /// Index of the group's coordinate among the independent ones.
    pub coordinate: usize,
    /// The joint's position is this times the coordinate, plus the offset.
    pub multiplier: T,
    pub offset: T,
}

/// Which coordinates are independent, and how every joint follows from them.
#[derive(Clone, Debug)]
pub struct Coupling<T> {
    independent: Vec<usize>,
    members: Vec<Member<T>>,
    /// Joints that follow, by coordinate.
    followers: Vec<Vec<usize>>,
}

impl<T: Real> Coupling<T> {
    /// Of joints whose leaders form no loop.
    pub(super) fn of(joints: &[Joint<T>]) -> Self {
        let independent: Vec<usize> = (0..joints.len()).filter(|&j| joints[j].mimic.is_none()).collect();
        let member = |j: usize| {
            let (mut at, mut multiplier, mut offset) = (j, T::one(), T::zero());
            while let Some(mimic) = &joints[at].mimic {
                offset = multiplier.mul_add(mimic.offset, offset);
                multiplier *= mimic.multiplier;
                at = mimic.leader;
            }
            // The root of a chain is independent, and the list is sorted.
            let coordinate = independent.partition_point(|&k| k < at);
            Member { coordinate, multiplier, offset }
        };
        let members: Vec<Member<T>> = (0..joints.len()).map(member).collect();
        let mut followers = vec![Vec::new(); independent.len()];
        for j in (0..joints.len()).filter(|&j| joints[j].mimic.is_some()) {
            followers[members[j].coordinate].push(j);
        }
        Coupling { independent, members, followers }
    }

    /// Every joint moves with its coordinate by a multiplier that numbers of this size can be divided by.
    pub(super) fn check(&self, joints: &[Joint<T>]) -> Result<()> {
        for (joint, member) in joints.iter().zip(&self.members) {
            let (multiplier, offset) = (member.multiplier.primal(), member.offset.primal());
            if !(SIZES.contains(&multiplier.abs()) && offset.is_finite()) {
                let leader = &joints[self.independent[member.coordinate]].name;
                let found = format!("{multiplier:e} times `{leader}` plus {offset:e}, chains composed");
                let expected = format!(
                    "a multiplier of {:e} to {:e} in size, and a finite offset",
                    SIZES.start(),
                    SIZES.end()
                );
                return Err(Error::value(&format!("{}.mimic", joint.name), found, &expected));
            }
        }
        Ok(())
    }

    /// Whether no joint follows another.
    pub fn is_trivial(&self) -> bool {
        self.independent.len() == self.members.len()
    }

    /// The joints that follow none, in model order: the independent coordinates.
    pub fn independent(&self) -> &[usize] {
        &self.independent
    }

    pub(crate) fn members(&self) -> &[Member<T>] {
        &self.members
    }

    /// All joints of a coordinate: its own, then its followers.
    pub(crate) fn joints_of(&self, coordinate: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.independent[coordinate]).chain(self.followers(coordinate).iter().copied())
    }

    /// The joints that move with an independent coordinate, besides its own.
    pub fn followers(&self, coordinate: usize) -> &[usize] {
        &self.followers[coordinate]
    }

    /// Whether a joint follows another.
    pub fn follows(&self, joint: usize) -> bool {
        self.independent.binary_search(&joint).is_err()
    }

    /// `q ← J y + o`: every follower's position from its group's leader; the others stay. One a joint.
    pub fn positions(&self, q: &mut [T]) {
        self.fill(q, |member, leader| member.multiplier.mul_add(leader, member.offset));
    }

    /// `v ← J ẏ`: every follower's velocity, or acceleration, from its group's leader; the others stay. One a joint.
    pub fn rates(&self, v: &mut [T]) {
        self.fill(v, |member, leader| member.multiplier * leader);
    }

    fn fill(&self, x: &mut [T], law: impl Fn(&Member<T>, T) -> T) {
        if self.is_trivial() {
            return;
        }
        for j in 0..x.len() {
            let leader = self.independent[self.members[j].coordinate];
            if leader != j {
                x[j] = law(&self.members[j], x[leader]);
            }
        }
    }

    /// The independent entries of a vector with one entry a joint.
    pub fn gather(&self, x: &[T], out: &mut [T]) {
        out.iter_mut().zip(&self.independent).for_each(|(to, &j)| *to = x[j]);
    }

    /// `x ← J y`, rates of every joint from independent ones.
    pub fn scatter(&self, y: &[T], x: &mut [T]) {
        if self.is_trivial() {
            x.copy_from_slice(y);
            return;
        }
        for (to, member) in x.iter_mut().zip(&self.members) {
            *to = member.multiplier * y[member.coordinate];
        }
    }

    /// `out ← Jᵀ x`: efforts, biases or momenta of every joint on the independent coordinates.
    pub fn project(&self, x: &[T], out: &mut [T]) {
        if self.is_trivial() {
            out.copy_from_slice(x);
        } else {
            project(&self.members, x, out);
        }
    }
}

/// `out ← Jᵀ x`.
pub(crate) fn project<T: Real>(members: &[Member<T>], x: &[T], out: &mut [T]) {
    out.fill(T::zero());
    for (x, member) in x.iter().zip(members) {
        out[member.coordinate] = member.multiplier.mul_add(*x, out[member.coordinate]);
    }
}

/// `out ← X J` for rows of one entry a joint, `width` of them left.
pub(crate) fn project_columns<T: Real>(members: &[Member<T>], width: usize, x: &[T], out: &mut [T]) {
    for (row, to) in x.chunks_exact(members.len().max(1)).zip(out.chunks_exact_mut(width.max(1))) {
        project(members, row, to);
    }
}

/// `out ← Jᵀ X J` for a square matrix, `width` rows and columns of it left.
pub(crate) fn project_square<T: Real>(members: &[Member<T>], width: usize, x: &[T], out: &mut [T]) {
    out.fill(T::zero());
    for (i, row) in members.iter().zip(x.chunks_exact(members.len().max(1))) {
        for (j, x) in members.iter().zip(row) {
            let at = &mut out[i.coordinate * width + j.coordinate];
            *at = (i.multiplier * j.multiplier).mul_add(*x, *at);
        }
    }
}

impl<T: Real> Tree<T> {
    /// Moving joints, in model order.
    pub(super) fn joints_mut(&mut self) -> impl Iterator<Item = &mut Joint<T>> {
        self.links.iter_mut().filter_map(|link| match &mut link.mounting {
            Mounting::Moving { joint, .. } => Some(joint),
            Mounting::Fixed => None,
        })
    }
}

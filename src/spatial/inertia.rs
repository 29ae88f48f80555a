//! The ten inertial parameters of a rigid body.

use super::{Pose, Symmetric, Vector, mul, scaled, scaled_plus};
use crate::real::Real;
use std::ops::{Add, AddAssign};

/// Mass, first moment and second moment of a body about its frame's origin, in its frame's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<T> {
    /// `m`, kg.
    pub mass: T,
    /// `h = m c`, kg m; `c` the centre of mass.
    pub first_moment: Vector<T>,
    /// `Σ = ∫ r rᵀ dm`, kg m².
    pub second_moment: Symmetric<T>,
}

impl<T: Real> Inertia<T> {
    /// No mass.
    pub fn zero() -> Self {
        let o = T::zero();
        Inertia { mass: o, first_moment: Vector::new(o, o, o), second_moment: Symmetric::zero() }
    }

    /// From the mass, the centre of mass (m) and the inertia tensor about the centre of mass (kg m²), one set of axes.
    pub fn about_center(mass: T, center: &Vector<T>, tensor: &Symmetric<T>) -> Self {
        let shift = Symmetric::outer_sum(center, &scaled(center, mass.scale(0.5)));
        Inertia { mass, first_moment: scaled(center, mass), second_moment: tensor.second_moment() + shift }
    }

    /// A rotational inertia alone (kg m²), without mass: what a frame carries for a rotor's inequality.
    pub fn rotational(tensor: &Symmetric<T>) -> Self {
        Inertia { second_moment: tensor.second_moment(), ..Self::zero() }
    }

    /// The ten numbers dynamics is linear in: `m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz`, `I` about the origin.
    pub fn linear(&self) -> [T; 10] {
        let (h, i) = (&self.first_moment, self.second_moment.tensor());
        [self.mass, h.x, h.y, h.z, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz]
    }

    /// The same body about the origin and in the axes of the frame that `pose` places this one in.
    #[inline(always)]
    pub fn placed(&self, pose: &Pose<T>) -> Self {
        let h = mul(&pose.rotation, &self.first_moment);
        Inertia {
            mass: self.mass,
            first_moment: h,
            second_moment: self.second_moment.rotated(&pose.rotation),
        }
        .shifted(&pose.position)
    }

    /// The same body about the origin at `−d`: its own origin lies at `d` from the new one.
    #[inline(always)]
    pub fn shifted(&self, d: &Vector<T>) -> Self {
        let g = scaled_plus(d, self.mass.scale(0.5), &self.first_moment);
        Inertia {
            mass: self.mass,
            first_moment: scaled_plus(d, self.mass, &self.first_moment),
            second_moment: self.second_moment + Symmetric::outer_sum(d, &g),
        }
    }

    /// The same with every number through `f`.
    pub fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Inertia<U> {
        Inertia {
            mass: f(self.mass),
            first_moment: self.first_moment.map(&mut *f),
            second_moment: self.second_moment.map(f),
        }
    }
}

impl<T: Real> Add for Inertia<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Inertia {
            mass: self.mass + o.mass,
            first_moment: self.first_moment + o.first_moment,
            second_moment: self.second_moment + o.second_moment,
        }
    }
}

impl<T: Real> AddAssign for Inertia<T> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

//! Energies, momentum and centre of mass, every link of the model counted, the root's too.

use super::kinematics::{body_twists, place, place_world};
use super::{Carried, Workspace};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Vector, cross, dot, mul, mul_transpose, scaled, vector};

/// Momentum of the whole machine, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum<T> {
    /// kg m/s.
    pub linear: Vector<T>,
    /// About the centre of mass, kg m²/s. Rotors reflected as armature have no place of their own in it.
    pub angular_about_com: Vector<T>,
}

/// Kinetic energy `½ vᵀ M v`, J, armatures included.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn kinetic_energy<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], v: &[T]) -> T {
    place(model, ws, q);
    place_world(model, ws);
    body_twists(model, ws, v);
    kinetic_energy_placed(model, ws, v)
}

/// After `body_twists`.
pub(crate) fn kinetic_energy_placed<T: Real>(model: &Model<T>, ws: &Workspace<T>, v: &[T]) -> T {
    let mut twice = T::zero();
    for i in 0..model.bodies.len() {
        // In the body's own axes, where its inertia need not be turned.
        let inertia = &model.bodies[i].inertia;
        let [w, v] = [&ws.twist[i].0, &ws.twist[i].1].map(|x| mul_transpose(&ws.world[i].rotation, x));
        let spinning = dot(&w, &w) * inertia.second_moment.trace() - dot(&w, &inertia.second_moment.mul(&w));
        twice +=
            dot(&v, &v) * inertia.mass + dot(&inertia.first_moment, &cross(&v, &w)).scale(2.0) + spinning;
    }
    for (joint, rate) in model.joints().iter().zip(&v[model.base_velocities()..]) {
        twice += joint.armature * *rate * *rate;
    }
    twice.scale(0.5)
}

/// Kinetic energy of what frames carry, `½ Σ ωᵀ C ω`. After `body_twists`.
pub(crate) fn carried_energy_placed<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    carried: &[Carried<T>],
) -> T {
    carried.iter().fold(T::zero(), |sum, load| {
        let (angular, _) = &ws.twist[model.frames()[load.frame].body()];
        sum + dot(angular, &load.tensor.mul(angular)).scale(0.5)
    })
}

/// Potential energy `−Σ m gᵀ c`, J, zero at the world origin's height.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn potential_energy<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T]) -> T {
    place(model, ws, q);
    place_world(model, ws);
    potential_energy_placed(model, ws)
}

/// After [`place_world`].
pub(crate) fn potential_energy_placed<T: Real>(model: &Model<T>, ws: &Workspace<T>) -> T {
    -dot(&model.gravity(), &first_moment(model, ws))
}

/// Centre of mass, m, world axes. A machine without mass has none: the result is then not finite.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn center_of_mass<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T]) -> Vector<T> {
    place(model, ws, q);
    place_world(model, ws);
    scaled(&first_moment(model, ws), model.total_mass().recip())
}

/// Momentum at `q`, `v`.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn momentum<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], v: &[T]) -> Momentum<T> {
    let center = center_of_mass(model, ws, q);
    body_twists(model, ws, v);
    let mut total = Momentum { linear: vector([0.0; 3]), angular_about_com: vector([0.0; 3]) };
    for i in 0..model.bodies.len() {
        let (linear, angular) = body_momentum(model, ws, i);
        let arm = ws.world[i].position + ws.local[0].position - center;
        total.linear += linear;
        total.angular_about_com += angular + cross(&arm, &linear);
    }
    total
}

/// `Σ m c`, kg m, world axes, about the world's origin. After [`place_world`].
fn first_moment<T: Real>(model: &Model<T>, ws: &Workspace<T>) -> Vector<T> {
    let mut sum = scaled(&ws.local[0].position, model.total_mass());
    for (body, world) in model.bodies.iter().zip(&ws.world) {
        sum += mul(&world.rotation, &body.inertia.first_moment) + scaled(&world.position, body.inertia.mass);
    }
    sum
}

/// Linear momentum of a body and angular momentum about its origin, world axes. After `body_twists`.
fn body_momentum<T: Real>(model: &Model<T>, ws: &Workspace<T>, i: usize) -> (Vector<T>, Vector<T>) {
    let inertia = &model.bodies[i].inertia;
    let rotation = &ws.world[i].rotation;
    let h = mul(rotation, &inertia.first_moment);
    let second = inertia.second_moment.rotated(rotation);
    let (w, v) = &ws.twist[i];
    let angular = scaled(w, second.trace()) - second.mul(w) + cross(&h, v);
    (scaled(v, inertia.mass) + cross(w, &h), angular)
}

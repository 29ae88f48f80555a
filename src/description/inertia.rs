//! Whether inertias can be a body's: each link's own, and that of the moving body it is fixed into.

use std::collections::HashMap;

use nalgebra::{Matrix3, Rotation3, SymmetricEigen, Vector3};

use super::audit::Audit;
use super::grammar::Place;
use super::parts::{Inertial, JointKind};
use super::urdf::Reading;
use crate::error::quote;

/// Moments below minus this part of the trace are negative, and not rounding.
const TOLERANCE: f64 = 1e-9;

/// A link's frame in the frame of its moving body.
#[derive(Clone, Copy)]
struct Placement {
    rotation: Matrix3<f64>,
    origin: Vector3<f64>,
}

/// Judges every inertia. `whole` says that the tree is sound: only then is the moving body known.
///
/// A link's own inertia may be indefinite when its moving body's is not: exporters split bodies, and the dynamics see
/// the sum. The triangle inequality is a remark only: many published robots violate it.
pub fn judge(reading: &mut Reading<'_, '_>, whole: bool) {
    let bodies = if whole { bodies(reading) } else { Vec::new() };
    for (link, node) in &reading.links {
        let Some(inertial) = &link.inertial else { continue };
        if let Some(moments) = principal_moments(tensor(inertial)) {
            let excess = moments[2] - moments[0] - moments[1];
            if moments[0] >= 0.0 && excess > TOLERANCE * moments.sum() {
                let reason = format!(
                    "triangle inequality violated: principal moments {:.3e}, {:.3e}, {:.3e} kg m²",
                    moments[0], moments[1], moments[2]
                );
                if let Some(element) = inertia_element(&reading.audit, *node) {
                    reading.audit.note(element, &reason);
                }
            }
        }
    }
    for body in &bodies {
        let indefinite = |at: &&(usize, Placement)| {
            let inertial = reading.links[at.0].0.inertial.as_ref();
            inertial.is_some_and(|inertial| !is_possible(tensor(inertial)))
        };
        let own: Vec<usize> = body.iter().filter(indefinite).map(|(link, _)| *link).collect();
        if own.is_empty() {
            continue;
        }
        let merged_is_possible = is_possible(merged(reading, body));
        let name = quote(&reading.links[body[0].0].0.name);
        for link in own {
            let Some(element) = inertia_element(&reading.audit, reading.links[link].1) else { continue };
            if merged_is_possible {
                let reason = format!("not positive semidefinite by itself; the moving body of {name} is");
                reading.audit.note(element, &reason);
            } else {
                let reason = format!(
                    "not positive semidefinite, nor is the moving body of {name}: kept as it is if acknowledged"
                );
                reading.audit.refuse(element, &reason, None);
            }
        }
    }
}

fn inertia_element<'a, 'i>(
    audit: &Audit<'a, 'i>,
    link: roxmltree::Node<'a, 'i>,
) -> Option<roxmltree::Node<'a, 'i>> {
    let inertial = audit.children(link, Place::Inertial).next()?;
    audit.children(inertial, Place::Inertia).next()
}

/// The moving bodies: links with their placements, the body's own link first.
fn bodies(reading: &Reading<'_, '_>) -> Vec<Vec<(usize, Placement)>> {
    let index: HashMap<&str, usize> =
        reading.links.iter().enumerate().map(|(at, (link, _))| (link.name.as_str(), at)).collect();
    let mut fixed_to: HashMap<usize, Vec<(usize, Placement)>> = HashMap::new();
    let mut is_fixed = vec![false; reading.links.len()];
    for (joint, _) in &reading.joints {
        let (Some(parent), Some(child)) = (index.get(joint.parent.as_str()), index.get(joint.child.as_str()))
        else {
            continue;
        };
        if joint.kind == JointKind::Fixed {
            is_fixed[*child] = true;
            let placement = Placement { rotation: rotation(joint.rpy), origin: joint.xyz.into() };
            fixed_to.entry(*parent).or_default().push((*child, placement));
        }
    }
    let heads = (0..reading.links.len()).filter(|link| !is_fixed[*link]);
    heads
        .map(|head| {
            let mut body =
                vec![(head, Placement { rotation: Matrix3::identity(), origin: Vector3::zeros() })];
            let mut next = 0;
            while let Some((link, at)) = body.get(next).copied() {
                for (child, placement) in fixed_to.get(&link).into_iter().flatten() {
                    let rotation = at.rotation * placement.rotation;
                    let origin = at.origin + at.rotation * placement.origin;
                    body.push((*child, Placement { rotation, origin }));
                }
                next += 1;
            }
            body
        })
        .collect()
}

/// The body's inertia about its centre of mass; about each link's own centre where the body has no mass.
fn merged(reading: &Reading<'_, '_>, body: &[(usize, Placement)]) -> Matrix3<f64> {
    let parts: Vec<(f64, Vector3<f64>, Matrix3<f64>)> = body
        .iter()
        .filter_map(|(link, at)| {
            let inertial = reading.links[*link].0.inertial.as_ref()?;
            let center = at.origin + at.rotation * Vector3::from(inertial.center_of_mass);
            let axes = at.rotation * rotation(inertial.rpy);
            Some((inertial.mass, center, axes * tensor(inertial) * axes.transpose()))
        })
        .collect();
    let mass: f64 = parts.iter().map(|(mass, ..)| mass).sum();
    let center = match mass > 0.0 {
        true => parts.iter().map(|(mass, center, _)| center * *mass).sum::<Vector3<f64>>() / mass,
        false => Vector3::zeros(),
    };
    parts
        .iter()
        .map(|(part, at, inertia)| {
            let d = at - center;
            let shift = Matrix3::identity() * d.norm_squared() - d * d.transpose();
            if mass > 0.0 { inertia + shift * *part } else { *inertia }
        })
        .sum()
}

fn tensor(inertial: &Inertial) -> Matrix3<f64> {
    let [xx, xy, xz, yy, yz, zz] = inertial.inertia;
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

fn rotation([roll, pitch, yaw]: [f64; 3]) -> Matrix3<f64> {
    Rotation3::from_euler_angles(roll, pitch, yaw).into_inner()
}

/// Positive semidefinite to [`TOLERANCE`] of the trace; a sum that left the finite numbers is not.
fn is_possible(inertia: Matrix3<f64>) -> bool {
    principal_moments(inertia).is_some_and(|moments| moments[0] >= -TOLERANCE * inertia.trace().max(0.0))
}

/// Principal moments in ascending order; `None` when the matrix is not finite.
fn principal_moments(inertia: Matrix3<f64>) -> Option<Vector3<f64>> {
    let scale = inertia.amax();
    if !inertia.iter().all(|moment| moment.is_finite()) {
        return None;
    }
    if scale == 0.0 {
        return Some(Vector3::zeros());
    }
    let scaled = SymmetricEigen::try_new(inertia / scale, f64::EPSILON, 1000)?;
    let mut moments = scaled.eigenvalues * scale;
    moments.as_mut_slice().sort_by(f64::total_cmp);
    Some(moments)
}

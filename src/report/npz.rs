//! `trajectory.npz`.

use crate::model::quoted;
use crate::rollout::{Rung, Session};
use ndarray::{ArrayView1, ArrayView2, ArrayView3};
use ndarray_npy::{NpzWriter, WriteNpzError};
use std::io::{Error, Seek, Write};

/// Writes the filled rows as arrays: `time [K]`; `SEG.q`, `.v`, `.effort`, `.friction_impulse`, `.stop_impulse [K, n]`;
/// `SEG.piece [K, n]` as `i8`; `SEG.frame_poses [K, F, 7]`, `SEG.frame_angular_velocities [K, F, 3]`. The kinematic
/// rung has `SEG.command` in place of efforts, impulses and pieces.
///
/// # Errors
/// The writer's.
pub fn write_npz(session: &Session, out: impl Write + Seek) -> std::io::Result<()> {
    fill(session, out).map_err(|error| match error {
        WriteNpzError::Zip(error) => Error::other(error),
        WriteNpzError::Npy(error) => Error::other(error),
    })
}

fn fill(session: &Session, out: impl Write + Seek) -> Result<(), WriteNpzError> {
    let mut npz = NpzWriter::new(out);
    let k = session.rows();
    let time: Vec<f64> = (0..k).map(|row| session.time(row)).collect();
    npz.add_array("time", &ArrayView1::from(&time))?;
    for segment in session.segments() {
        let (name, rows) = (quoted(segment.name()), segment.trajectory());
        let (n, f) = (rows.joints, rows.frames);
        let mut two = |what: &str, list: &[f64]| match ArrayView2::from_shape((k, n), &list[..k * n]) {
            Ok(view) => npz.add_array(format!("{name}.{what}"), &view),
            Err(_) => unreachable!("a trajectory holds as many numbers as rows times joints"),
        };
        two("q", &rows.q)?;
        two("v", &rows.v)?;
        if let Rung::Kinematic(_) = segment.rung() {
            two("command", &rows.input)?;
        } else {
            two("effort", &rows.input)?;
            two("friction_impulse", &rows.friction_impulse)?;
            two("stop_impulse", &rows.stop_impulse)?;
            let codes: Vec<i8> = rows.pieces[..k * n].iter().map(|piece| piece.code()).collect();
            if let Ok(view) = ArrayView2::from_shape((k, n), &codes) {
                npz.add_array(format!("{name}.piece"), &view)?;
            }
        }
        let three = |list: &[f64], width: usize| list.len() == k * f * width;
        let (poses, angular) = (rows.poses[..k * f].as_flattened(), rows.angular[..k * f].as_flattened());
        debug_assert!(three(poses, 7) && three(angular, 3));
        for (what, list, width) in [("frame_poses", poses, 7), ("frame_angular_velocities", angular, 3)] {
            if let Ok(view) = ArrayView3::from_shape((k, f, width), list) {
                npz.add_array(format!("{name}.{what}"), &view)?;
            }
        }
    }
    npz.finish()?;
    Ok(())
}

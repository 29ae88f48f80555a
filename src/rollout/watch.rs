//! Limits that are watched and not applied.

use super::Segment;

/// Where a joint went beyond a limit, read after the run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Watch {
    /// The joint.
    pub joint: String,
    /// End of the first step beyond it, s.
    pub first_time: f64,
    /// End of the step of the peak, s.
    pub peak_time: f64,
    /// Largest magnitude, in the limit's unit.
    pub peak: f64,
    /// The limit.
    pub limit: f64,
    /// Steps beyond it.
    pub steps: usize,
}

/// Joints that went faster than the description's speed limit.
pub fn beyond_speed(segment: &Segment, step: f64) -> Vec<Watch> {
    watch(segment, step, &segment.trajectory().v, |joint| joint.speed_limit)
}

/// Joints told more than the description's effort limit. On the kinematic rung there are no efforts.
pub fn beyond_effort(segment: &Segment, step: f64) -> Vec<Watch> {
    watch(segment, step, &segment.trajectory().input, |joint| joint.effort_limit)
}

fn watch(
    segment: &Segment,
    step: f64,
    values: &[f64],
    limit: impl Fn(&crate::model::Joint<f64>) -> Option<f64>,
) -> Vec<Watch> {
    let rows = segment.trajectory();
    let mut found = Vec::new();
    for (j, joint) in segment.model().joints().iter().enumerate() {
        let Some(limit) = limit(joint) else { continue };
        let mut watch =
            Watch { joint: joint.name.clone(), first_time: 0.0, peak_time: 0.0, peak: 0.0, limit, steps: 0 };
        for k in 1..rows.rows {
            let size = values[k * rows.joints + j].abs();
            if size <= limit {
                continue;
            }
            let time = k as f64 * step;
            if watch.steps == 0 {
                watch.first_time = time;
            }
            if size > watch.peak {
                (watch.peak, watch.peak_time) = (size, time);
            }
            watch.steps += 1;
        }
        if watch.steps > 0 {
            found.push(watch);
        }
    }
    found
}

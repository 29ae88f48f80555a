//! The clock of a run.

use super::{Segment, Trajectory};
use crate::error::{Error, Result};
use crate::input::limits::RUN_NUMBERS;
use crate::model::quoted;
use crate::switch::{GradientStatus, Observer};
use std::ops::ControlFlow;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// All steps were made.
    Done,
    /// Somebody asked to stop; the rows so far are good.
    Interrupted,
    /// A number was not finite; the rows before it are good.
    NotFinite {
        /// The segment.
        segment: String,
        /// The joint.
        joint: String,
        /// The end of the step that made it, s.
        time: f64,
    },
}

/// Segments on one clock.
///
/// ```
/// use articula::model::{Builder, Inertial, JointKind, JointSpec};
/// use articula::rollout::{Drive, Ending, Rung, Segment, Session};
/// use articula::step::{DynamicArm, Solver};
/// use std::ops::ControlFlow;
///
/// let mut slide = Builder::new("slide");
/// slide.link("rail", None).link("cart", Some(Inertial::new(2.0, [0.0; 3], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1])));
/// slide.joint(JointSpec {
///     name: "slide".into(), kind: Some(JointKind::Prismatic), parent: "rail".into(), child: "cart".into(),
///     upper: Some(0.1), lower: Some(-0.1), ..JointSpec::default()
/// });
/// let arm = DynamicArm::new(slide.build()?, 1e-3, Solver::Exact)?;
/// let push = Some(Drive::Constant(1.0));
/// let segment = Segment::new("cart", Rung::Dynamic(arm), vec![push], 1, &[0.0], &[0.0])?;
/// let mut session = Session::new(1e-3, 1000, vec![segment])?;
/// assert_eq!(session.run(|_done, _of| ControlFlow::Continue(())), Ending::Done);
/// let rows = session.segments()[0].trajectory();
/// assert_eq!((rows.rows, rows.q[1000]), (1001, 0.1)); // at its stop, where it stays
/// # Ok::<(), articula::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    step: f64,
    steps: usize,
    segments: Vec<Segment>,
}

impl Session {
    /// `steps` base steps of `step` seconds.
    ///
    /// # Errors
    /// [`Error::Value`]: a segment whose own step is not its rate, or more numbers than a run may keep.
    pub fn new(step: f64, steps: usize, segments: Vec<Segment>) -> Result<Self> {
        let mut row = 0;
        for segment in &segments {
            let (own, rate) = (segment.rung().dt(), step * segment.every() as f64);
            if (own - rate).abs() > 1e-9 * rate {
                let expected = format!("{} base steps of {step} s: {rate} s", segment.every());
                return Err(Error::value(&format!("{}.rate", segment.name()), own, &expected));
            }
            let model = segment.model();
            row += Trajectory::numbers(model.joints().len(), model.frames().len()) as u128;
        }
        let numbers = (steps as u128 + 1) * row;
        if numbers > RUN_NUMBERS {
            let found = format!("{steps} steps, whose rows would hold {numbers} numbers");
            // Six digits of it, rounded down.
            let longest = (RUN_NUMBERS / row).saturating_sub(1) as f64 * step * (1.0 - 1e-5);
            let longest: f64 = format!("{longest:.5e}").parse().unwrap_or(longest);
            let expected = format!(
                "at most {RUN_NUMBERS} numbers (1 GiB), which is a duration of {longest} s at this step; or a longer step"
            );
            return Err(Error::value("time.duration", found, &expected));
        }
        // Where that much memory is not to be had, this says so instead of a process that is ended.
        if Vec::<f64>::new().try_reserve_exact(numbers as usize).is_err() {
            let found = format!("{steps} steps, whose rows take {} MiB", numbers >> 17);
            let expected = "rows that fit in the memory there is: a shorter duration, or a longer step";
            return Err(Error::value("time.duration", found, expected));
        }
        Ok(Session { step, steps, segments })
    }

    /// The base step, s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Base steps of the whole run.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The segments, in chain order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// What a derivative through the run so far is worth: the least of the segments', with the facts of all. Where there are
    /// several, joints have their segment's name before theirs.
    pub fn status(&self) -> GradientStatus {
        let several = self.segments.len() > 1;
        let each = self.segments.iter().map(|segment| {
            let status = segment.status();
            let address = |joint: &str| format!("{}.{}", quoted(segment.name()), quoted(joint));
            if several { status.renamed(address) } else { status }
        });
        each.reduce(|mut all, status| {
            all.join(status);
            all
        })
        .unwrap_or_else(|| Observer::new().status())
    }

    /// The time of row `k`, s.
    pub fn time(&self, k: usize) -> f64 {
        k as f64 * self.step
    }

    /// Filled rows: those every segment has.
    pub fn rows(&self) -> usize {
        self.segments.iter().map(|s| s.trajectory().rows).min().unwrap_or(0)
    }

    /// Runs from the start, or goes on from where it was interrupted; before each base step `each(done, steps)` may
    /// break it off.
    ///
    /// Allocates the rows, then nothing.
    pub fn run(&mut self, mut each: impl FnMut(usize, usize) -> ControlFlow<()>) -> Ending {
        let mut done = self.rows().saturating_sub(1);
        if self.rows() == 0 {
            self.segments.iter_mut().for_each(|segment| segment.open(self.steps + 1));
        }
        while done < self.steps {
            if each(done, self.steps).is_break() {
                return Ending::Interrupted;
            }
            done += 1;
            let end = self.time(done);
            for segment in &mut self.segments {
                if !done.is_multiple_of(segment.every()) {
                    segment.hold();
                    continue;
                }
                let start = (done - segment.every()) as f64 * self.step;
                if let Err(joint) = segment.step(start, end) {
                    return Ending::NotFinite {
                        segment: segment.name().to_owned(),
                        joint: segment.model().joints()[joint].name.clone(),
                        time: end,
                    };
                }
            }
        }
        Ending::Done
    }
}

//! Derivatives that cannot be had without their status.

use super::GradientStatus;

/// Derivatives, with what they are worth.
///
/// ```
/// use articula::switch::{Gradient, Observer};
/// let gradient = Gradient::new(vec![1.0, 2.0], Observer::new().status());
/// let (values, status) = gradient.read();
/// println!("{values:?}, {status}");
/// ```
///
/// There is no other way to the values:
///
/// ```compile_fail
/// # use articula::switch::{Gradient, Observer};
/// let gradient = Gradient::new(vec![1.0, 2.0], Observer::new().status());
/// println!("{:?}", gradient.values);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Gradient<D> {
    values: D,
    status: GradientStatus,
}

impl<D> Gradient<D> {
    /// Derivatives with the status of the run they were taken through.
    pub fn new(values: D, status: GradientStatus) -> Self {
        Gradient { values, status }
    }

    /// The derivatives and their status.
    pub fn read(&self) -> (&D, &GradientStatus) {
        (&self.values, &self.status)
    }

    /// The derivatives and their status, owned.
    pub fn into_parts(self) -> (D, GradientStatus) {
        (self.values, self.status)
    }
}

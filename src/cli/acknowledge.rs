//! `--acknowledge` and `--acknowledge-all`, common to every command that reads a robot file.

use crate::description::{Acknowledged, Acknowledgement, Description};
use crate::error::Result;

/// Answers for elements of the robot file that are refused.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Acknowledge {
    /// Pass over one refused element, with a reason; may be given several times.
    ///
    /// PATH is as `inspect` prints it, for instance `joint[finger]/mimic`; what follows the first `=` is the reason.
    #[arg(long, value_name = "PATH=REASON")]
    acknowledge: Vec<String>,
    /// Pass over everything that is refused and can be, with one reason.
    #[arg(long, value_name = "REASON", conflicts_with = "acknowledge")]
    acknowledge_all: Option<String>,
}

impl Acknowledge {
    /// The description, if nothing refused is left in it.
    ///
    /// # Errors
    /// As [`Acknowledgement::parse`], [`Description::acknowledge`] and [`Description::acknowledge_all`].
    pub(super) fn answer(&self, description: &Description) -> Result<Acknowledged> {
        match &self.acknowledge_all {
            Some(reason) => description.acknowledge_all(reason),
            None => description.acknowledge(&self.list()?),
        }
    }

    fn list(&self) -> Result<Vec<Acknowledgement>> {
        self.acknowledge.iter().map(|text| Acknowledgement::parse(text)).collect()
    }
}

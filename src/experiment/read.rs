//! The experiment as typed values.

use super::chain::{SegmentSpec, segment};
use super::decision::{DecisionSpec, decision};
use super::document::{Document, Table};
use super::drive::drives;
use super::objective::{TermSpec, terms};
use super::place::{Named, Place, Placed};
use super::settings::Profile;
use crate::error::{Error, Result, quote};
use crate::input;
use crate::input::limits::{EXPERIMENT_BYTES, NAME_BYTES, RUN_STEPS};
use crate::rollout::Drive;
use std::path::{Path, PathBuf};

const KEYS: &[&str] =
    &["profile", "time", "environment", "chain", "parts", "motors", "drive", "objective", "decision"];
/// Sections that say something this version cannot do.
const LATER: &[&str] = &["parts", "motors"];
/// Sections that other commands use.
const OTHERS: &[&str] = &["objective", "decision"];

/// An experiment file, read and checked as far as it can be without the robots it names.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub(super) file: String,
    pub(super) folder: PathBuf,
    pub(super) sha256: String,
    pub(super) profile: Profile,
    pub(super) step: f64,
    pub(super) steps: usize,
    pub(super) duration: f64,
    pub(super) time_place: Place,
    pub(super) gravity: Option<[f64; 3]>,
    pub(super) segments: Vec<SegmentSpec>,
    pub(super) drives: Vec<Named<Drive>>,
    pub(super) tables: Vec<PathBuf>,
    pub(super) objective: Option<Placed<Vec<TermSpec>>>,
    pub(super) decision: Option<Placed<DecisionSpec>>,
    pub(super) unused: Vec<&'static str>,
}

impl Experiment {
    /// Every file it is read from: itself, the robots and the tables of its drives.
    pub fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        let robots = self.segments.iter().map(|segment| self.folder.join(&segment.description.value));
        [PathBuf::from(&self.file)].into_iter().chain(robots).chain(self.tables.iter().cloned())
    }

    /// Reads an experiment file, and the tables its drives name; paths in it are beside it.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::File`]; [`Error::Experiment`] with file, line and column of the first thing wrong.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let bytes =
            input::read(path, EXPERIMENT_BYTES, "the experiment file; long tables go into CSV files")?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Experiment::parse(&file, folder, &bytes)
    }

    /// Reads an experiment file's bytes; `file` is its name in messages, `folder` where the paths in it start.
    ///
    /// # Errors
    /// As [`Experiment::read`].
    pub fn parse(file: &str, folder: &Path, bytes: &[u8]) -> Result<Self> {
        let text = input::text(bytes).map_err(|fault| Error::Experiment { file: file.to_owned(), fault })?;
        let doc = Document::new(file, text);
        let parsed = doc.parse()?;
        let root = Table::root(&doc, parsed.get_ref());
        root.only(KEYS)?;
        for key in LATER {
            if let Some(section) = root.get(key) {
                return Err(section.place().not_built(&format!("`[{key}]`")));
            }
        }
        let profiles = [("research", Profile::Research), ("exploratory", Profile::Exploratory)];
        let profile =
            root.get("profile").map_or(Ok(Profile::Exploratory), |value| value.choice(&profiles))?;
        let time = root.require("time", "[time] with step and duration, s")?.table("step and duration, s")?;
        let (step, duration, steps) = clock(&time)?;
        let gravity = match root.table("environment", "gravity")? {
            Some(environment) => {
                environment.only(&["gravity"])?;
                environment.get("gravity").map(|g| g.numbers("gravity x y z, m/s^2")).transpose()?
            }
            None => None,
        };
        let chain = root.require("chain", "a segment, [chain.NAME]")?.table("segments by name")?;
        let names = chain.entries();
        match names.as_slice() {
            [] => {
                let found = "no segment in `[chain]`";
                return Err(chain.place().fault("missing_key", found, "one, [chain.NAME]", "add it"));
            }
            [_] => {}
            [_, second, ..] => {
                return Err(second.place.not_built(&format!("a second segment, `chain.{}`", second.name)));
            }
        }
        if let Some(name) = names.iter().find(|name| name.name.len() > NAME_BYTES) {
            let found = format!("a segment's name of {} bytes, {}", name.name.len(), quote(&name.name));
            let expected = format!("at most {NAME_BYTES}");
            return Err(name.place.fault(
                "long_name",
                found,
                expected,
                "shorten it: it stands in every column",
            ));
        }
        let segments = names.iter().map(|name| segment(name, step)).collect::<Result<Vec<_>>>()?;
        let known: Vec<String> = segments.iter().map(|s| s.name.clone()).collect();
        let (drives, tables) = drives(&root, &known, folder)?;
        Ok(Experiment {
            file: file.to_owned(),
            folder: folder.to_owned(),
            sha256: crate::description::sha256(bytes),
            profile,
            step,
            steps,
            duration,
            time_place: time.require("duration", "seconds")?.place(),
            gravity,
            segments,
            drives,
            tables,
            objective: terms(&root)?,
            decision: decision(&root)?,
            unused: OTHERS.iter().copied().filter(|key| root.get(key).is_some()).collect(),
        })
    }

    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Who it is for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The base step, s, and how many of them.
    pub fn clock(&self) -> (f64, usize) {
        (self.step, self.steps)
    }
}

/// Step, duration, and the steps in it.
fn clock(time: &Table<'_>) -> Result<(f64, f64, usize)> {
    time.only(&["step", "duration"])?;
    let expected = "a positive number of seconds";
    let number = |key: &str| time.require(key, expected)?.number_where(expected, |x| x > 0.0);
    let (step, duration) = (number("step")?, number("duration")?);
    let steps = (duration / step).round();
    if steps > RUN_STEPS {
        let value = time.require("duration", expected)?;
        let expected = format!("at most {RUN_STEPS:e} steps of {step} s");
        return Err(value.wrong("too_large", expected, "give a shorter duration, or a longer step"));
    }
    if steps < 1.0 || (duration / step - steps).abs() > 1e-9 * steps {
        let value = time.require("duration", expected)?;
        let near = (steps.max(1.0) * step, (steps + 1.0) * step);
        let fix = format!("for instance {} or {} s", near.0, near.1);
        return Err(value.wrong("value", format!("a whole number of steps of {step} s"), fix));
    }
    Ok((step, duration, steps as usize))
}

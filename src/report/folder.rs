//! An output folder.

use crate::error::{Error, Fault, Result};
use crate::input::called;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How the names of our temporary files end, and nobody else's.
const MARK: &str = ".articula-part";

/// A folder that files are written into whole: under a temporary name, then renamed.
///
/// The temporary name is `.NAME.PROCESS.articula-part`. What a process that was killed leaves under such a name does not
/// count as something the folder holds, and [`Folder::tidy`] takes it away. Nothing but a plain file is ever written over.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder that may exist if it is empty; one that holds something only with `force`. Made with its parents.
    ///
    /// # Errors
    /// [`Error::Value`] where it holds something, or is a file; [`Error::Io`] where it cannot be made or written into.
    pub fn open(path: &Path, force: bool) -> Result<Self> {
        let name = path.display().to_string();
        let failed = |source| Error::Io { path: name.clone(), source };
        match std::fs::metadata(path) {
            Ok(found) if !found.is_dir() => {
                let found =
                    format!("{name}, {}", if found.is_file() { "a file" } else { called(found.file_type()) });
                return Err(Error::value("--out", found, "a folder, empty or to be made"));
            }
            _ => std::fs::create_dir_all(path).map_err(failed)?,
        }
        let mut holds = false;
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let plain = entry.file_type().is_ok_and(|kind| kind.is_file());
            holds |= !(plain && entry.file_name().to_str().and_then(writer_of).is_some());
        }
        if holds && !force {
            let expected = "an empty folder, or --force to write over the files of the same names";
            return Err(Error::value("--out", format!("{name}, which is not empty"), expected));
        }
        let folder = Folder { path: path.to_owned() };
        // Before a long run, not after it: can a file be made here?
        let probe = folder.temporary("articula");
        File::create_new(&probe).and_then(|_| std::fs::remove_file(&probe)).map_err(failed)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes away what processes that are no more left half written here.
    ///
    /// Where the system does not tell which processes there are, everything stays.
    pub fn tidy(&self) {
        let processes = Path::new("/proc");
        let Ok(entries) = std::fs::read_dir(&self.path) else { return };
        if !processes.join("self").exists() {
            return;
        }
        for entry in entries.flatten() {
            let plain = entry.file_type().is_ok_and(|kind| kind.is_file());
            let name = entry.file_name();
            let writer = name.to_str().and_then(writer_of).filter(|_| plain);
            if writer.is_some_and(|process| !processes.join(process).exists()) {
                // Where it cannot be taken away it does no harm either.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Takes a file of this name away, if it is a plain one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        std::fs::remove_file(&path).map_err(|source| Error::Io { path: path.display().to_string(), source })
    }

    /// Makes sure that a file of this name can be written: nothing stands there, or a plain file.
    ///
    /// # Errors
    /// [`Error::File`] where a folder, a link or a special file stands; [`Error::Io`].
    pub fn reserve(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        let named = || path.display().to_string();
        match std::fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(source) => Err(Error::Io { path: named(), source }),
            Ok(found) if found.is_file() => Ok(()),
            Ok(found) => {
                let fix = "take it away, or name another folder with --out";
                let found = called(found.file_type());
                let fault =
                    Fault::of_file("not_a_file", found, "nothing there, or a file to write over", fix);
                Err(Error::file(&named(), fault))
            }
        }
    }

    /// Writes a file: all of it or none.
    ///
    /// # Errors
    /// [`Error::Io`]; as [`Folder::reserve`].
    pub fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
    ) -> Result<PathBuf> {
        self.reserve(name)?;
        let path = self.path.join(name);
        let temporary = self.temporary(name);
        // Made new: what stands there is never followed or waited for.
        let written = OpenOptions::new().write(true).create_new(true).open(&temporary).and_then(|file| {
            let mut writer = BufWriter::with_capacity(1 << 16, &file);
            let filled = fill(&mut writer).and_then(|()| writer.flush());
            // What could not be written is not tried again when the writer goes.
            let _ = writer.into_parts();
            filled.and_then(|()| std::fs::rename(&temporary, &path)).inspect_err(|_| {
                // What is left of a failed write is of no use; that it cannot be removed changes nothing.
                let _ = std::fs::remove_file(&temporary);
            })
        });
        written.map_err(|source| Error::Io { path: path.display().to_string(), source })?;
        Ok(path)
    }

    /// The name a file has until it is whole; no two processes share one.
    fn temporary(&self, name: &str) -> PathBuf {
        self.path.join(format!(".{name}.{}{MARK}", std::process::id()))
    }
}

/// The process that a temporary file belongs to, by its name.
pub(crate) fn writer_of(name: &str) -> Option<&str> {
    let (_, process) = name.strip_prefix('.')?.strip_suffix(MARK)?.rsplit_once('.')?;
    (!process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit())).then_some(process)
}

//! An output folder.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A folder that files are written into whole: under a temporary name, then renamed.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder that may exist if it is empty; one that holds something only with `force`. Made with its parents.
    ///
    /// # Errors
    /// [`Error::Value`] where it holds something, or is a file; [`Error::Io`].
    pub fn open(path: &Path, force: bool) -> Result<Self> {
        let name = path.display().to_string();
        let failed = |source| Error::Io { path: name.clone(), source };
        if path.exists() && !path.is_dir() {
            return Err(Error::value("--out", format!("{name}, a file"), "a folder, empty or to be made"));
        }
        std::fs::create_dir_all(path).map_err(failed)?;
        let holds = std::fs::read_dir(path).map_err(failed)?.next().is_some();
        if holds && !force {
            let expected = "an empty folder, or --force to write over the files of the same names";
            return Err(Error::value("--out", format!("{name}, which is not empty"), expected));
        }
        Ok(Folder { path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file: all of it or none.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
    ) -> Result<PathBuf> {
        let path = self.path.join(name);
        let temporary = self.path.join(format!(".{name}.part"));
        let written = File::create(&temporary).and_then(|file| {
            let mut writer = BufWriter::with_capacity(1 << 16, &file);
            fill(&mut writer)?;
            writer.flush()?;
            drop(writer);
            std::fs::rename(&temporary, &path)
        });
        match written {
            Ok(()) => Ok(path),
            Err(source) => {
                // What is left of a failed write is of no use; that it cannot be removed changes nothing.
                let _ = std::fs::remove_file(&temporary);
                Err(Error::Io { path: path.display().to_string(), source })
            }
        }
    }
}

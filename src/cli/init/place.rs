//! The robot's path as the experiment names it.

use crate::error::{Error, Result};
use std::path::{Component, Path};

/// The path of `file` from `folder`, with `/` between its parts; `folder` is the current one where it is empty.
///
/// Folders are resolved to what they are, links included, so that `..` in the answer leads where it says.
pub(super) fn beside(folder: &Path, file: &Path) -> Result<String> {
    let here = |path: &Path| if path.as_os_str().is_empty() { ".".into() } else { path.to_owned() };
    let real = |path: &Path| {
        let path = here(path);
        path.canonicalize().map_err(|source| Error::Io { path: path.display().to_string(), source })
    };
    let name = file.file_name().ok_or_else(|| Error::value("ROBOT.urdf", file.display(), "a file"))?;
    let (from, to) = (real(folder)?, real(file.parent().unwrap_or(Path::new("")))?.join(name));
    let path = pathdiff::diff_paths(&to, &from).unwrap_or(to);
    let text = path.to_str().ok_or_else(|| {
        Error::value("ROBOT.urdf", file.display(), "a path in UTF-8, which an experiment file can hold")
    })?;
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    Ok(if plain { text.replace(std::path::MAIN_SEPARATOR, "/") } else { text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside it, below it, above it, and from the current folder; by hand.
    #[test]
    fn paths_lead_from_the_folder_to_the_file() {
        for (folder, file, path) in [
            ("", "tests/robots/arm7.urdf", "tests/robots/arm7.urdf"),
            ("tests/robots", "tests/robots/arm7.urdf", "arm7.urdf"),
            ("tests", "tests/robots/arm7.urdf", "robots/arm7.urdf"),
            ("src/cli", "tests/robots/arm7.urdf", "../../tests/robots/arm7.urdf"),
            ("src/../tests", "src/../tests/robots/arm7.urdf", "robots/arm7.urdf"),
        ] {
            assert_eq!(beside(Path::new(folder), Path::new(file)).expect("a path"), path, "{folder} {file}");
        }
    }
}

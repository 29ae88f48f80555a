//! What comes from outside, at the door: plain files only, of a bounded size, as UTF-8 text with lines and columns.
//!
//! Every file a command reads passes [`read`]; [`limits`] has every bound on what is in it, with its reason.

pub mod limits;
mod positions;

use crate::error::{Error, Fault, Result};
use std::fs::FileType;
use std::io::Read;
use std::path::Path;

pub(crate) use positions::Positions;

/// The bytes of a plain file of at most `most` bytes; `give` says what to give instead of a larger one.
///
/// # Errors
/// [`Error::Io`] when it cannot be read; [`Error::File`] when it is a folder or a special file, which could have no end
/// or never begin, or when it is too large.
pub fn read(path: &Path, most: u64, give: &str) -> Result<Vec<u8>> {
    let name = || path.display().to_string();
    let failed = |source| Error::Io { path: name(), source };
    let wrong = |fault| Error::file(&name(), fault);
    let kind = std::fs::metadata(path).map_err(failed)?.file_type();
    if !kind.is_file() {
        let fix = if kind.is_dir() { "give the file in it" } else { "write what it would say into a file" };
        return Err(wrong(Fault::of_file("not_a_file", called(kind), "a file", fix)));
    }
    bounded(std::fs::File::open(path).map_err(failed)?, most, give).map_err(failed)?.map_err(wrong)
}

/// All that a reader has, at most `most` bytes.
///
/// # Errors
/// The reader's; inside, the fault of one that has more.
pub fn bounded(
    reader: impl Read,
    most: u64,
    give: &str,
) -> std::io::Result<std::result::Result<Vec<u8>, Fault>> {
    let mut bytes = Vec::new();
    // One byte past the limit is enough to know that there is too much.
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > most { Err(too_large(bytes.len() as u64, most, give)) } else { Ok(bytes) })
}

/// The fault of too many bytes.
pub(crate) fn too_large(found: u64, most: u64, give: &str) -> Fault {
    let found = format!("{found} bytes or more");
    Fault::of_file("too_large", &found, &format!("at most {} MiB", most >> 20), &format!("give {give}"))
}

/// Bytes as text: UTF-8, without its byte order mark.
///
/// # Errors
/// A fault with the place of the first byte that is not UTF-8, or of the whole where it is UTF-16.
pub fn text(bytes: &[u8]) -> std::result::Result<&str, Fault> {
    let mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let utf16 = mark || matches!(bytes, [0, first, ..] | [first, 0, ..] if first.is_ascii() && *first != 0);
    if utf16 {
        let fix = "save the file as UTF-8, for instance with `iconv -f UTF-16 -t UTF-8`";
        return Err(Fault::of_file("not_utf8", "UTF-16 text", "UTF-8 text", fix));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let (line, column) = Positions::new(good).at(good.len());
        let found = format!("the byte 0x{:02x}, which is not UTF-8", bytes[error.valid_up_to()]);
        let fix = "save the file as UTF-8, for instance with `iconv -f LATIN1 -t UTF-8`".into();
        Fault { code: "not_utf8", line, column, found, expected: "UTF-8 text".into(), fix }
    })
}

/// What a message calls a kind of file.
pub(crate) fn called(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a FIFO (named pipe)";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    match (kind.is_dir(), kind.is_symlink()) {
        (true, _) => "a folder",
        (_, true) => "a symbolic link",
        _ => "a special file",
    }
}

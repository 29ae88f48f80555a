//! From bytes to text, and from byte offsets to lines and columns.

use sha2::{Digest, Sha256};

use crate::error::Fault;

/// Largest file read, bytes.
pub const LARGEST_FILE: usize = 64 << 20;

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a robot file: UTF-8, with or without a byte order mark.
pub fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    let whole = |code, found: String, expected: &str, fix: &str| Fault {
        code,
        line: 0,
        column: 0,
        found,
        expected: expected.into(),
        fix: fix.into(),
    };
    if bytes.len() > LARGEST_FILE {
        let found = format!("a file of {} bytes", bytes.len());
        let fix = "give the robot file itself, not an archive or a mesh";
        return Err(whole("too_large", found, "at most 64 MiB", fix));
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || bytes.starts_with(b"<\0")
        || bytes.starts_with(b"\0<");
    if utf16 {
        let fix = "save the file as UTF-8, for instance with `iconv -f UTF-16 -t UTF-8`";
        return Err(whole("not_utf8", "UTF-16 text".into(), "UTF-8 text", fix));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let (line, column) = Positions::new(good).at(good.len());
        let bad = bytes[error.valid_up_to()];
        let fix = "save the file as UTF-8, for instance with `iconv -f LATIN1 -t UTF-8`".into();
        let found = format!("the byte 0x{bad:02x}, which is not UTF-8");
        Fault { code: "not_utf8", line, column, found, expected: "UTF-8 text".into(), fix }
    })?;
    if text.trim().is_empty() {
        let fix = "check that the program that wrote it (xacro?) did not fail";
        return Err(whole("empty_file", "an empty file".into(), "a <robot> element", fix));
    }
    Ok(text)
}

/// Characters between two checkpoints of [`Positions`] are counted by hand.
const STRIDE: usize = 1024;

/// Lines and columns of byte offsets, in constant time whatever the length of a line.
pub struct Positions<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
    /// Characters before each multiple of [`STRIDE`] bytes.
    characters: Vec<usize>,
}

impl<'a> Positions<'a> {
    /// Indexes a text.
    pub fn new(text: &'a str) -> Positions<'a> {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        let mut before = 0;
        let mut characters = Vec::with_capacity(text.len() / STRIDE + 1);
        for block in text.as_bytes().chunks(STRIDE) {
            characters.push(before);
            before += count(block);
        }
        characters.push(before);
        Positions { text, line_starts, characters }
    }

    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn at(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        (clamp(line), clamp(column))
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / STRIDE;
        self.characters[block] + count(&self.text.as_bytes()[block * STRIDE..offset])
    }
}

/// Characters that start in these bytes.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

fn clamp(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A piece of the file for a message: in backquotes, cut when long.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
        None => format!("`{text}`"),
    }
}

/// What is wrong with the XML, in the terms of someone who wants it right.
pub fn xml_fault(error: &roxmltree::Error) -> Fault {
    let at = error.pos();
    // roxmltree answers 1:1 for the errors that have no place.
    let placed = !matches!(
        error,
        roxmltree::Error::NoRootNode
            | roxmltree::Error::UnclosedRootNode
            | roxmltree::Error::DtdDetected
            | roxmltree::Error::NodesLimitReached
            | roxmltree::Error::AttributesLimitReached
            | roxmltree::Error::NamespacesLimitReached
            | roxmltree::Error::UnexpectedEndOfStream
    );
    let (line, column) = if placed { (at.row, at.col) } else { (0, 0) };
    let fault = |code, found: String, expected: &str, fix: String| Fault {
        code,
        line,
        column,
        found,
        expected: expected.into(),
        fix,
    };
    match error {
        roxmltree::Error::UnknownNamespace(prefix, _) => fault(
            "not_xml",
            format!("the prefix {} bound to nothing", quote(prefix)),
            "a prefix declared with xmlns",
            format!(
                "declare it on <robot> (xmlns:{prefix}=\"…\"), or take the element out; a `xacro` prefix is left \
                 over when the file was not expanded by xacro"
            ),
        ),
        roxmltree::Error::DtdDetected => fault(
            "not_xml",
            "a document type (<!DOCTYPE>)".into(),
            "none: entities are not expanded",
            "take the <!DOCTYPE> out and write what its entities stand for".into(),
        ),
        roxmltree::Error::NodesLimitReached => fault(
            "too_large",
            "more than a million elements".into(),
            "at most a million",
            "give the robot file itself".into(),
        ),
        other => fault(
            "not_xml",
            without_place(&other.to_string()),
            "well-formed XML",
            "correct it there; an XML checker such as xmllint shows the place".into(),
        ),
    }
}

/// roxmltree's word for an error without its ` at 3:7`, which the fault says itself.
fn without_place(message: &str) -> String {
    let is_place = |tail: &str| tail.chars().all(|letter| letter.is_ascii_digit() || letter == ':');
    match message.rsplit_once(" at ") {
        Some((head, tail)) if is_place(tail) => head.into(),
        _ => message.into(),
    }
}

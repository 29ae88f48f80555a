//! From bytes to XML: text first, then its shape, then what the parser says.

use sha2::{Digest, Sha256};

use crate::error::{Fault, quote};
use crate::input::limits::{ROBOT_BYTES, ROBOT_NODES};
use crate::input::{self, Positions};

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a robot file: UTF-8, with or without a byte order mark.
pub fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.len() as u64 > ROBOT_BYTES {
        return Err(input::too_large(
            bytes.len() as u64,
            ROBOT_BYTES,
            "the robot file itself, not an archive or a mesh",
        ));
    }
    let text = input::text(bytes)?;
    if text.trim().is_empty() {
        let fix = "check that the program that wrote it (xacro?) did not fail";
        return Err(Fault::of_file("empty_file", "an empty file", "a <robot> element", fix));
    }
    Ok(text)
}

/// What is wrong with the XML, in the terms of someone who wants it right.
pub fn xml_fault(text: &str, error: &roxmltree::Error) -> Fault {
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
    let cut_off =
        matches!(error, roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream);
    let (line, column) = match (placed, cut_off) {
        (true, _) => (at.row, at.col),
        (_, true) => Positions::new(text).at(text.trim_end().len()),
        _ => (0, 0),
    };
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
            format!("more than {ROBOT_NODES} elements, texts and comments"),
            &format!("at most {ROBOT_NODES}"),
            "give the robot file itself".into(),
        ),
        _ if cut_off => fault(
            "not_xml",
            "the end of the file inside an element".into(),
            "an end tag for every element that is opened",
            "complete the file: was the writing of it cut off?".into(),
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

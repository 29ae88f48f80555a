//! The shape of XML before it is parsed: what a parser, or the account, could choke on.

use crate::error::Fault;
use crate::input::Positions;
use crate::input::limits::{ROBOT_ATTRIBUTES, ROBOT_DEPTH, ROBOT_NAMESPACES};

/// Checks the depth of elements, the attributes of each, and the namespaces of all.
///
/// One pass over the bytes, without judging the grammar: where the text is not XML this stops looking, and the parser
/// stops there too, and says so.
///
/// # Errors
/// A fault at the first element too many.
pub fn check(text: &str) -> Result<(), Fault> {
    let (mut at, mut depth, mut namespaces) = (0, 0_usize, 0);
    while let Some(skip) = text[at..].find('<') {
        at += skip;
        let rest = &text[at..];
        let passed_over = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, end)) = passed_over.into_iter().find(|(start, _)| rest.starts_with(start)) {
            let Some(length) = rest.find(end) else { return Ok(()) };
            at += length;
            continue;
        }
        if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
            at += 2;
            continue;
        }
        let Some(tag) = Tag::of(rest) else { return Ok(()) };
        depth += 1;
        namespaces += tag.namespaces;
        let limits = [
            (depth, ROBOT_DEPTH, "too_deep", "elements nested"),
            (tag.attributes, ROBOT_ATTRIBUTES, "too_large", "attributes of one element:"),
            (namespaces, ROBOT_NAMESPACES, "too_large", "namespace declarations (xmlns):"),
        ];
        for (found, most, code, what) in limits {
            if found > most {
                let (line, column) = Positions::new(text).at(at);
                let deep = if code == "too_deep" { " deep" } else { "" };
                return Err(Fault {
                    code,
                    line,
                    column,
                    found: format!("{what} {found}{deep}"),
                    expected: format!("at most {most}"),
                    fix: "check how the file was made: a robot file needs a tenth of that".into(),
                });
            }
        }
        depth -= usize::from(tag.closed);
        at += tag.length;
    }
    Ok(())
}

/// A start tag.
struct Tag {
    /// Bytes of it.
    length: usize,
    attributes: usize,
    /// Those of its attributes that declare a namespace.
    namespaces: usize,
    /// It ends with `/>`.
    closed: bool,
}

impl Tag {
    /// The tag a text starts with, to its end or to the first attribute too many; none where it has no end, or holds
    /// another.
    fn of(text: &str) -> Option<Tag> {
        let bytes = text.as_bytes();
        let (mut attributes, mut namespaces, mut quote) = (0, 0, None);
        // Where the last word begins: at an `=`, the attribute's name.
        let (mut word, mut between) = (0, true);
        for (at, byte) in bytes.iter().enumerate().skip(1) {
            match (quote, byte) {
                (Some(mark), byte) if mark == byte => (quote, between) = (None, true),
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, byte) if byte.is_ascii_whitespace() => between = true,
                (None, b'=') => {
                    attributes += 1;
                    namespaces += usize::from(bytes[word..at].starts_with(b"xmlns"));
                    if attributes > ROBOT_ATTRIBUTES {
                        return Some(Tag { length: at + 1, attributes, namespaces, closed: false });
                    }
                }
                (None, b'>') => {
                    return Some(Tag {
                        length: at + 1,
                        attributes,
                        namespaces,
                        closed: bytes[at - 1] == b'/',
                    });
                }
                (None, b'<') => return None,
                (None, _) if between => (word, between) = (at, false),
                (None, _) => {}
            }
        }
        None
    }
}

//! Values of attributes: names that must be there, numbers that must be numbers.

use roxmltree::{Attribute, Node};

use super::urdf::Reading;
use crate::error::{Fault, quote};
use crate::input::limits::NAME_BYTES;

/// The attribute of that name in no namespace. roxmltree's own look-up by a plain name takes one of any namespace, and
/// `sim:damping` is not URDF's `damping`.
pub fn plain<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Attribute<'a, 'input>> {
    node.attributes().find(|attribute| attribute.namespace().is_none() && attribute.name() == name)
}

/// The value of [`plain`].
pub fn value<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    plain(node, name).map(|attribute| attribute.value())
}

impl<'a, 'input> Reading<'a, 'input> {
    /// An attribute that must be there and must not be empty.
    pub(super) fn required(&mut self, node: Node<'a, 'input>, name: &'static str) -> Option<String> {
        let value = value(node, name);
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            if value.len() > NAME_BYTES {
                self.faults.push(Fault {
                    found: format!("`{name}` of {} bytes, {}", value.len(), quote(value)),
                    expected: format!("at most {NAME_BYTES}"),
                    fix: "shorten it, and what refers to it: it stands in every column and message".into(),
                    ..self.audit.fault(node.range().start, "long_name")
                });
            }
            return Some(value.to_owned());
        }
        let found = match value {
            Some(_) => format!("{} with an empty `{name}`", self.called(node)),
            None => format!("{} without `{name}`", self.called(node)),
        };
        self.faults.push(Fault {
            found,
            expected: format!("{name}=\"…\""),
            fix: format!("write the `{name}`"),
            ..self.audit.fault(node.range().start, "missing_attribute")
        });
        None
    }

    /// One finite number.
    pub(super) fn number(&mut self, node: Node<'a, 'input>, name: &str) -> Option<f64> {
        self.numbers::<1>(node, name).map(|[number]| number)
    }

    /// Exactly `N` finite numbers; `None` when the attribute is absent or, with a fault, when it is wrong.
    pub(super) fn numbers<const N: usize>(&mut self, node: Node<'a, 'input>, name: &str) -> Option<[f64; N]> {
        let attribute = plain(node, name)?;
        let words: Vec<&str> =
            attribute.value().split([' ', '\t', '\n', '\r']).filter(|w| !w.is_empty()).collect();
        let numbers: Vec<Option<f64>> = words.iter().map(|word| finite(word)).collect();
        let wrong = numbers.iter().position(Option::is_none);
        if wrong.is_none() && words.len() == N {
            let mut values = [0.0; N];
            for (value, number) in values.iter_mut().zip(numbers.into_iter().flatten()) {
                *value = number;
            }
            return Some(values);
        }
        let what = format!("in `{name}` of <{}>", node.tag_name().name());
        let (code, found, fix) = match wrong {
            Some(at) => {
                let fix = match words[at] {
                    word if word.contains('$') => "expand the file with xacro first",
                    word if word.contains(',') => {
                        "put a point for the decimals and spaces between numbers, no commas"
                    }
                    _ => "write a finite decimal number",
                };
                ("not_a_number", format!("{} {what}", quote(words[at])), fix.to_owned())
            }
            None => {
                let found = format!("{} numbers ({}) {what}", words.len(), quote(attribute.value()));
                ("wrong_count", found, format!("write {N}"))
            }
        };
        let expected = if N == 1 { "1 finite number".into() } else { format!("{N} finite numbers") };
        let fault = self.audit.fault(attribute.range().start, code);
        self.faults.push(Fault { found, expected, fix, ..fault });
        None
    }

    /// How a message calls an element: `<joint> elbow`.
    pub(super) fn called(&self, node: Node<'a, 'input>) -> String {
        let tag = node.tag_name().name();
        let name = value(node, "name").filter(|name| !name.trim().is_empty());
        match name {
            Some(name) => format!("<{tag}> {}", quote(name)),
            None => format!("<{tag}>"),
        }
    }
}

/// A finite number in decimal notation. Rust also reads `inf`, `nan` and `infinity`, which are no numbers here.
fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

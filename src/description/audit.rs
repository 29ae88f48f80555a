//! Lists everything in a document and judges it by where it stands.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node};

use super::account::{Account, Entry, READ, Verdict};
use super::attribute::value;
use super::grammar::{self, Definition, Place};
use crate::error::{Fault, quote};
use crate::input::Positions;
use crate::input::limits::ACCOUNT_BYTES;

/// The account under construction, with the way from the XML to its entries.
pub struct Audit<'a, 'input> {
    positions: &'a Positions<'input>,
    account: Account,
    elements: HashMap<Node<'a, 'input>, Standing>,
    attributes: HashMap<(Node<'a, 'input>, &'input str), usize>,
    taken: HashSet<String>,
    repeats: HashMap<String, usize>,
    bytes: usize,
}

/// What is known of an element already listed.
#[derive(Clone, Copy)]
struct Standing {
    entry: usize,
    depth: usize,
    /// What it is when it is read; for what is not read, the topmost element not read.
    place: Result<Place, usize>,
}

impl<'a, 'input> Audit<'a, 'input> {
    /// Lists everything in the document and judges it by where it stands; values are judged later.
    ///
    /// # Errors
    /// A fault when the account would grow past all use.
    pub fn of(doc: &'a Document<'input>, positions: &'a Positions<'input>) -> Result<Self, Fault> {
        let mut audit = Audit {
            positions,
            account: Account::default(),
            elements: HashMap::new(),
            attributes: HashMap::new(),
            taken: HashSet::new(),
            repeats: HashMap::new(),
            bytes: 0,
        };
        // `descendants` walks without recursion, and parents come before children.
        for node in doc.root_element().descendants() {
            if node.is_element() {
                audit.list(node);
            } else if node.is_text() {
                audit.list_text(node);
            }
            if audit.bytes > ACCOUNT_BYTES {
                let fault = audit.fault(node.range().start, "too_large");
                return Err(Fault {
                    found: "names so long and so many that the account of the file would not fit".into(),
                    expected: format!("an account of at most {} MiB", ACCOUNT_BYTES >> 20),
                    fix: "shorten the names".into(),
                    ..fault
                });
            }
        }
        Ok(audit)
    }

    /// The finished account.
    pub fn finish(self) -> Account {
        self.account
    }

    /// What an element is, when it is read.
    pub fn place(&self, node: Node<'a, 'input>) -> Option<Place> {
        self.elements.get(&node).and_then(|standing| standing.place.ok())
    }

    /// The children of an element that are read as `place`, in file order.
    pub fn children(&self, node: Node<'a, 'input>, place: Place) -> impl Iterator<Item = Node<'a, 'input>> {
        node.children().filter(move |child| self.place(*child) == Some(place))
    }

    /// Whether anything below an element, or an attribute of it or of anything below, is refused for its form.
    pub fn has_refused_inside(&self, node: Node<'a, 'input>) -> bool {
        node.descendants().filter(Node::is_element).any(|inner| {
            self.place(inner).is_none() && self.verdict(inner) == Some(Verdict::Refused)
                || self.place(inner) != Some(Place::Mimic)
                    && inner.attributes().any(|attribute| {
                        let entry = self.attributes.get(&(inner, attribute.name()));
                        let refused = |at: &usize| self.account.attributes[*at].verdict == Verdict::Refused;
                        attribute.namespace().is_some() || entry.is_some_and(refused)
                    })
        })
    }

    /// An empty fault at a byte offset.
    pub fn fault(&self, offset: usize, code: &'static str) -> Fault {
        let (line, column) = self.positions.at(offset);
        Fault { code, line, column, found: String::new(), expected: String::new(), fix: String::new() }
    }

    /// The line of an element.
    pub fn line(&self, node: Node<'a, 'input>) -> u32 {
        self.positions.at(node.range().start).0
    }

    /// Remarks on an element.
    pub fn note(&mut self, node: Node<'a, 'input>, reason: &str) {
        self.judge(node, Verdict::Note, reason, None);
    }

    /// Refuses an element for its values; `remedy` when no acknowledgement can answer it.
    pub fn refuse(&mut self, node: Node<'a, 'input>, reason: &str, remedy: Option<&'static str>) {
        self.judge(node, Verdict::Refused, reason, remedy);
    }

    /// Says that an element, its attributes included, has no effect.
    pub fn leave_out(&mut self, node: Node<'a, 'input>, reason: &str) {
        self.judge(node, Verdict::NotUsed, reason, None);
        for attribute in node.attributes() {
            self.judge_attribute(node, attribute.name(), Verdict::NotUsed, reason);
        }
    }

    /// Gives an attribute of a read element another verdict; a refused one stays refused.
    pub fn judge_attribute(
        &mut self,
        node: Node<'a, 'input>,
        name: &'input str,
        verdict: Verdict,
        reason: &str,
    ) {
        if let Some(at) = self.attributes.get(&(node, name)) {
            self.account.attributes[*at].settle(verdict, reason);
        }
    }

    fn judge(
        &mut self,
        node: Node<'a, 'input>,
        verdict: Verdict,
        reason: &str,
        remedy: Option<&'static str>,
    ) {
        if let Some(standing) = self.elements.get(&node) {
            let entry = &mut self.account.elements[standing.entry];
            entry.settle(verdict, reason);
            entry.remedy = entry.remedy.or(remedy);
        }
    }

    fn verdict(&self, node: Node<'a, 'input>) -> Option<Verdict> {
        self.elements.get(&node).map(|standing| self.account.elements[standing.entry].verdict)
    }

    fn list(&mut self, node: Node<'a, 'input>) {
        let parent = node.parent_element().and_then(|parent| self.elements.get(&parent).copied());
        let depth = parent.map_or(1, |parent| parent.depth + 1);
        let local = node.tag_name().name();
        let definition = match parent.map(|parent| parent.place) {
            None if is_urdf(node) && local == "robot" => Ok(Definition::Read(Place::Robot)),
            None => Ok(Definition::Undefined),
            Some(Err(top)) => Err(top),
            Some(Ok(place)) if is_urdf(node) => Ok(grammar::element(place, local)),
            Some(Ok(_)) => Ok(Definition::Undefined),
        };
        let path = match parent {
            None => local.to_owned(),
            Some(parent) => {
                let undefined = definition == Ok(Definition::Undefined);
                self.path_inside(node, parent, definition.is_ok() && !undefined, undefined)
            }
        };
        let entry = self.account.elements.len();
        let (verdict, reason, place) = match definition {
            Err(top) => (self.account.elements[top].verdict, self.inside(top), Err(top)),
            Ok(Definition::Unused(why)) => (Verdict::NotUsed, unused(node, why), Err(entry)),
            Ok(Definition::Undefined) => (Verdict::Refused, undefined(node), Err(entry)),
            Ok(Definition::Read(place)) => match earlier(node, place) {
                true => (Verdict::Refused, repeated(local), Err(entry)),
                false => match place {
                    // The verdict on a mimic does not depend on its values.
                    Place::Mimic => (Verdict::Refused, "not coupled unless asked for".into(), Ok(place)),
                    _ => (Verdict::Used, READ.into(), Ok(place)),
                },
            },
        };
        let holder = place.err().filter(|top| *top != entry && verdict == Verdict::Refused);
        let standing = Standing { entry, depth, place };
        self.elements.insert(node, standing);
        let listed = self.entry(path, node.range().start, verdict, reason, holder);
        self.account.elements.push(listed);
        self.list_attributes(node, standing);
    }

    fn list_attributes(&mut self, node: Node<'a, 'input>, standing: Standing) {
        let owner = standing.entry;
        for attribute in node.attributes() {
            let defined = |place| {
                attribute.namespace().is_none() && grammar::attributes(place).contains(&attribute.name())
            };
            let (verdict, reason, holder) = match standing.place {
                Err(top) => {
                    let verdict = self.account.elements[top].verdict;
                    (verdict, self.inside(top), (verdict == Verdict::Refused).then_some(top))
                }
                Ok(Place::Mimic) => (Verdict::Refused, self.inside(owner), Some(owner)),
                Ok(place) if defined(place) => (Verdict::Used, READ.into(), None),
                Ok(_) => {
                    let name = node.tag_name().name();
                    let foreign = attribute.namespace().map(|uri| format!(" (namespace {})", quote(uri)));
                    let foreign = foreign.unwrap_or_default();
                    let reason = format!("URDF does not define `{}` of <{name}>{foreign}", attribute.name());
                    (Verdict::Refused, reason, None)
                }
            };
            let path = format!("{}@{}", self.account.elements[owner].path, attribute.name());
            let path = self.unique(path, false);
            let listed = self.entry(path, attribute.range().start, verdict, reason, holder);
            if attribute.namespace().is_none() {
                self.attributes.insert((node, attribute.name()), self.account.attributes.len());
            }
            self.account.attributes.push(listed);
        }
    }

    fn list_text(&mut self, node: Node<'a, 'input>) {
        let text = node.text().unwrap_or_default();
        let Some(standing) = node.parent_element().and_then(|parent| self.elements.get(&parent).copied())
        else {
            return;
        };
        if text.trim().is_empty() || standing.place.is_err() {
            return;
        }
        let path = self.unique(format!("{}/text()", self.account.elements[standing.entry].path), false);
        let reason = format!("URDF defines no text here, found {}", quote(text.trim()));
        // The node starts with the white space before the words; the place wanted is the words', in the file as it is
        // (the node's text has its line ends made alike).
        let raw = node.document().input_text().get(node.range()).unwrap_or_default();
        let blank = raw.len() - raw.trim_start().len();
        let listed = self.entry(path, node.range().start + blank, Verdict::Refused, reason, None);
        self.account.texts.push(listed);
    }

    fn entry(
        &mut self,
        path: String,
        offset: usize,
        verdict: Verdict,
        reason: String,
        holder: Option<usize>,
    ) -> Entry {
        let (line, column) = self.positions.at(offset);
        self.bytes += 2 * path.len() + reason.len();
        Entry { path, line, column, verdict, reason, holder, remedy: None }
    }

    fn inside(&self, top: usize) -> String {
        let top = &self.account.elements[top];
        match top.verdict {
            Verdict::Refused => format!("inside {}, which is refused", top.path),
            _ => format!("inside {}, which is not used", top.path),
        }
    }

    fn path_inside(
        &mut self,
        node: Node<'a, 'input>,
        parent: Standing,
        defined: bool,
        always_counted: bool,
    ) -> String {
        let local = node.tag_name().name();
        let name = value(node, "name").filter(|name| !name.is_empty());
        let top = defined && parent.depth == 1 && grammar::called_by_name(local);
        let base = match name {
            Some(name) if top => format!("{local}[{name}]"),
            _ => format!("{}/{local}", self.account.elements[parent.entry].path),
        };
        self.unique(base, always_counted)
    }

    /// `base`, or `base[k]` with the first k from 1 that makes it unique; `[1]` is written only when asked for.
    fn unique(&mut self, base: String, always_counted: bool) -> String {
        let mut count = self.repeats.get(&base).copied().unwrap_or(0);
        let path = loop {
            count += 1;
            let path = if count == 1 && !always_counted { base.clone() } else { format!("{base}[{count}]") };
            if !self.taken.contains(&path) {
                break path;
            }
        };
        self.repeats.insert(base, count);
        self.taken.insert(path.clone());
        path
    }
}

/// Whether the element is in URDF's namespace: none, or the default one of the root.
fn is_urdf(node: Node<'_, '_>) -> bool {
    match node.tag_name().namespace() {
        None => true,
        Some(uri) => node.document().root_element().default_namespace() == Some(uri),
    }
}

/// Whether an earlier sibling is the same element, where URDF reads one.
fn earlier(node: Node<'_, '_>, place: Place) -> bool {
    let local = node.tag_name().name();
    !grammar::repeatable(place)
        && node.parent_element().is_some()
        && node
            .prev_siblings()
            .skip(1)
            .any(|other| other.is_element() && is_urdf(other) && other.tag_name().name() == local)
}

fn unused(node: Node<'_, '_>, why: &str) -> String {
    let closes = node.tag_name().name() == "gazebo"
        && node.descendants().any(|inner| inner.is_element() && inner.tag_name().name() == "joint");
    match closes {
        true => format!("{why}; it holds a <joint>: the loop that closes there is not in the model"),
        false => why.into(),
    }
}

fn undefined(node: Node<'_, '_>) -> String {
    let local = node.tag_name().name();
    match (node.parent_element(), node.tag_name().namespace()) {
        (None, _) => format!("<{local}> is not a robot description"),
        (Some(_), Some(uri)) if !is_urdf(node) => {
            format!("URDF does not define <{local}> (namespace {})", quote(uri))
        }
        (Some(parent), _) => {
            format!("URDF does not define <{local}> inside <{}>", parent.tag_name().name())
        }
    }
}

fn repeated(local: &str) -> String {
    format!("URDF has one <{local}> here, and the first is read")
}

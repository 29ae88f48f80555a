//! The account: one verdict for each element and each attribute of a file.

/// What became of an element or attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The description is made of it.
    Used,
    /// Recognised, without effect here.
    NotUsed,
    /// Dropping it could change the mechanism: nothing is computed until somebody acknowledges it.
    Refused,
    /// Used, with a remark.
    Note,
}

/// The reason of what is simply used.
pub(super) const READ: &str = "read";

/// One line of the account.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Entry {
    /// Where it stands, unique in its file: `link[base]/inertial/mass`, `joint[a]/dynamics@D`.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What became of it.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Index, in [`Account::elements`], of the refused element this refused entry stands or falls with.
    #[serde(skip)]
    pub(super) holder: Option<usize>,
    /// What to change, when the entry is refused in a way no acknowledgement can answer.
    #[serde(skip)]
    pub(super) remedy: Option<&'static str>,
}

impl Entry {
    /// Takes another verdict: refused beats note beats not used beats used; reasons are joined.
    pub(super) fn settle(&mut self, verdict: Verdict, reason: &str) {
        let weight = |verdict| match verdict {
            Verdict::Used => 0,
            Verdict::NotUsed => 1,
            Verdict::Note => 2,
            Verdict::Refused => 3,
        };
        if verdict == Verdict::NotUsed && self.verdict == Verdict::Refused {
            return;
        }
        // A remark goes beside "read"; the other verdicts replace it.
        if verdict != Verdict::Note {
            let rest = self.reason.strip_prefix(READ).map(|rest| rest.trim_start_matches("; ").to_owned());
            self.reason = rest.unwrap_or_else(|| std::mem::take(&mut self.reason));
        }
        if weight(verdict) > weight(self.verdict) {
            self.verdict = verdict;
        }
        if !self.reason.is_empty() {
            self.reason.push_str("; ");
        }
        self.reason.push_str(reason);
    }
}

/// Every element and every attribute of a file, each exactly once, in file order.
///
/// Elements inside a `not_used` or `refused` element share its verdict, and say so. Namespace declarations (`xmlns`,
/// `xmlns:p`) are not attributes in XML and are not listed: they name nothing of the mechanism, and what they rename
/// is judged where it stands. Comments and processing instructions are not content and are not listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// One entry an element.
    pub elements: Vec<Entry>,
    /// One entry an attribute.
    pub attributes: Vec<Entry>,
    /// One entry for each text standing directly inside an element that is read: URDF defines none.
    pub texts: Vec<Entry>,
}

/// How many entries have each verdict, elements, attributes and texts together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Entries used without remark.
    pub used: usize,
    /// Entries recognised and not used.
    pub not_used: usize,
    /// Entries refused.
    pub refused: usize,
    /// Entries used with a remark.
    pub note: usize,
}

impl Account {
    /// Every entry: elements, then attributes, then texts.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.elements.iter().chain(&self.attributes).chain(&self.texts)
    }

    /// The entry at a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries().find(|entry| entry.path == path)
    }

    /// The refused entries to be answered for, in file order: without what stands inside another of them.
    pub fn refused(&self) -> impl Iterator<Item = &Entry> {
        let mut refused: Vec<&Entry> = self
            .entries()
            .filter(|entry| entry.verdict == Verdict::Refused && entry.holder.is_none())
            .collect();
        refused.sort_by_key(|entry| (entry.line, entry.column));
        refused.into_iter()
    }

    /// How many entries have each verdict.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for entry in self.entries() {
            match entry.verdict {
                Verdict::Used => counts.used += 1,
                Verdict::NotUsed => counts.not_used += 1,
                Verdict::Refused => counts.refused += 1,
                Verdict::Note => counts.note += 1,
            }
        }
        counts
    }
}

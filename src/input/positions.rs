//! From byte offsets to lines and columns.

/// Characters between two checkpoints of [`Positions`] are counted by hand.
const STRIDE: usize = 1024;

/// Lines and columns of byte offsets, in constant time whatever the length of a line.
pub(crate) struct Positions<'a> {
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

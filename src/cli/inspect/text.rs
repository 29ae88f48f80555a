//! Lines, headings and columns.

/// Text for a terminal, under construction.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    /// A line.
    pub fn line(&mut self, line: &str) {
        // Names come from the file; what would move the cursor or ring is shown, not done.
        for letter in line.chars() {
            match letter.is_control() {
                true => self.0.extend(letter.escape_default()),
                false => self.0.push(letter),
            }
        }
        self.0.push('\n');
    }

    /// A heading, an empty line before it.
    pub fn heading(&mut self, heading: &str) {
        self.0.push('\n');
        self.line(heading);
    }

    /// Rows in columns, each as wide as its widest cell; a cell past that takes its own line's room.
    pub fn columns(&mut self, rows: &[Vec<String>]) {
        const WIDEST: usize = 48;
        let mut widths: Vec<usize> = Vec::new();
        for row in rows {
            for (k, cell) in row.iter().enumerate() {
                let width = cell.chars().count();
                if widths.len() <= k {
                    widths.push(0);
                }
                if width <= WIDEST {
                    widths[k] = widths[k].max(width);
                }
            }
        }
        for row in rows {
            let mut line = String::from(" ");
            for (cell, width) in row.iter().zip(&widths) {
                line.push(' ');
                line.push_str(cell);
                let missing = width.saturating_sub(cell.chars().count());
                line.extend(std::iter::repeat_n(' ', missing + 1));
            }
            self.line(line.trim_end());
        }
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.0
    }
}

/// A number for people: as short as it can be without changing, or with six digits.
pub(super) fn number(x: f64) -> String {
    let short = format!("{x}");
    if short.len() <= 9 {
        return short;
    }
    let size = x.abs();
    if (1e-3..1e6).contains(&size) {
        let digits = 5_i32 - size.log10().floor() as i32;
        let fixed = format!("{x:.*}", usize::try_from(digits).unwrap_or(0));
        return match fixed.contains('.') {
            true => fixed.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => fixed,
        };
    }
    format!("{x:.5e}")
}

//! Text tables with aligned columns in any alphabet: a Hangul letter is two columns wide.

use std::io::{self, IsTerminal, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width in characters when the output is not a terminal, or its size is unknown.
const NARROW: usize = 80;
/// The height of a terminal of unknown size.
const LOW: usize = 24;
/// The widest line: longer ones are hard to read.
const WIDE: usize = 120;
/// Spaces between two columns.
const GAP: usize = 2;
/// A flexible column is not shrunk below this width.
const LEAST: usize = 6;

/// The width of a line of standard output, in characters.
pub(super) fn line_width() -> usize {
    if !io::stdout().is_terminal() {
        return NARROW;
    }
    screen_size().0.clamp(40, WIDE)
}

/// Width and height of the terminal. A terminal of unknown size reports zero.
pub(super) fn screen_size() -> (usize, usize) {
    let known = crossterm::terminal::size().ok().filter(|&(places, lines)| places > 0 && lines > 0);
    known.map_or((NARROW, LOW), |(places, lines)| (usize::from(places), usize::from(lines)))
}

/// The width of a text, in columns of the terminal.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to at most `places` columns and marks the cut with `…`. Control characters become
/// spaces.
pub(super) fn fitted(text: &str, places: usize) -> String {
    let harmless = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = text.chars().map(harmless).collect();
    if text.width() <= places {
        return text;
    }
    let (mut cut, mut taken) = (String::new(), 0);
    for letter in text.chars() {
        let more = letter.width().unwrap_or(0);
        if taken + more + 1 > places {
            break;
        }
        cut.push(letter);
        taken += more;
    }
    cut.push('…');
    cut
}

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Pads a text with spaces to `places` columns.
pub(super) fn padded(text: &str, places: usize, side: Side) -> String {
    let blanks = " ".repeat(places.saturating_sub(text.width()));
    match side {
        Side::Left => format!("{text}{blanks}"),
        Side::Right => format!("{blanks}{text}"),
    }
}

/// How the width of a column is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnWidth {
    /// As wide as its longest text.
    Fixed,
    /// Shrunk if the line would be too long.
    Flexible,
}

pub(super) struct Column {
    title: String,
    side: Side,
    width: ColumnWidth,
}

/// A table: rows under a row of titles.
pub(super) struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(super) const fn new() -> TextTable {
        TextTable { columns: Vec::new(), rows: Vec::new() }
    }

    pub(super) fn column(mut self, title: &str, side: Side, width: ColumnWidth) -> TextTable {
        self.columns.push(Column { title: title.to_owned(), side, width });
        self
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes titles and rows in lines of at most `most` columns, each line after `margin`.
    pub(super) fn write(&self, out: &mut impl Write, margin: &str, most: usize) -> io::Result<()> {
        let widths = self.widths(most.saturating_sub(width(margin)));
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        for row in [&titles].into_iter().chain(&self.rows) {
            let mut line = margin.to_owned();
            for ((column, cell), &places) in self.columns.iter().zip(row).zip(&widths) {
                if line.len() > margin.len() {
                    line.push_str(&" ".repeat(GAP));
                }
                line.push_str(&padded(&fitted(cell, places), places, column.side));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Each column is as wide as its longest text. While the line is too long, the widest flexible
    /// column shrinks by one.
    fn widths(&self, most: usize) -> Vec<usize> {
        let widest = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (self.columns.iter().enumerate())
            .map(|(at, column)| column.title.width().max(widest(at)))
            .collect();
        let gaps = GAP * widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > most {
            let flexible = (self.columns.iter().zip(&mut widths))
                .filter(|(column, width)| column.width == ColumnWidth::Flexible && **width > LEAST);
            let Some(widest) = flexible.map(|(_, width)| width).max_by_key(|width| **width) else {
                break;
            };
            *widest -= 1;
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_by_places_not_by_letters() {
        assert_eq!(fitted("Mina", 4), "Mina");
        assert_eq!(fitted("Minaya", 4), "Min…");
        assert_eq!(fitted("김민아", 6), "김민아");
        assert_eq!(fitted("김민아", 5), "김민…");
        assert_eq!(fitted("김민아", 4), "김…");
        assert_eq!(fitted("a\u{1b}b", 9), "a b");
    }

    #[test]
    fn columns_stand_under_each_other_and_fit() {
        let mut table = TextTable::new()
            .column("이름", Side::Left, ColumnWidth::Flexible)
            .column("n", Side::Right, ColumnWidth::Fixed)
            .column("x", Side::Left, ColumnWidth::Fixed);
        table.row(vec!["김민아".to_owned(), "1".to_owned(), "|".to_owned()]);
        table.row(vec!["a name that is far too long".to_owned(), "123".to_owned(), "|".to_owned()]);
        for most in [20, 30, 80] {
            let mut out = Vec::new();
            table.write(&mut out, " ", most).unwrap();
            let text = String::from_utf8(out).unwrap();
            let bars: Vec<usize> = (text.lines().skip(1))
                .map(|line| line.find('|').map_or(0, |at| width(&line[..at])))
                .collect();
            assert_eq!(bars[0], bars[1], "{text}");
            assert!(text.lines().all(|line| width(line) <= most), "{text}");
        }
    }
}

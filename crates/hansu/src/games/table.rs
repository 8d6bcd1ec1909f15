//! Columns that stand under each other whatever the alphabet: Hangul is two places wide.

use std::io::{self, IsTerminal, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of everything that does not go to a wider terminal.
const NARROW: usize = 80;
/// The lines of a terminal that does not know its size.
const LOW: usize = 24;
/// Wider lines are hard to read.
const WIDE: usize = 120;
/// Blanks between two columns.
const GAP: usize = 2;
/// No column becomes narrower than this to make room.
const LEAST: usize = 6;

/// How many places there are for a line of standard output.
pub(super) fn line_width() -> usize {
    if !io::stdout().is_terminal() {
        return NARROW;
    }
    screen_size().0.clamp(40, WIDE)
}

/// Places and lines of the terminal. One that does not know its size says zero.
pub(super) fn screen_size() -> (usize, usize) {
    let known = crossterm::terminal::size().ok().filter(|&(places, lines)| places > 0 && lines > 0);
    known.map_or((NARROW, LOW), |(places, lines)| (usize::from(places), usize::from(lines)))
}

/// How many places a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A text in at most so many places, with `…` where it was cut, without control characters.
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

/// On which side of a column its texts stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A text followed or preceded by blanks up to so many places.
pub(super) fn padded(text: &str, places: usize, side: Side) -> String {
    let blanks = " ".repeat(places.saturating_sub(text.width()));
    match side {
        Side::Left => format!("{text}{blanks}"),
        Side::Right => format!("{blanks}{text}"),
    }
}

/// Whether a column may be cut to make room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    Fixed,
    Flexible,
}

pub(super) struct Column {
    title: String,
    side: Side,
    room: Room,
}

/// Rows under titles.
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) const fn new() -> Table {
        Table { columns: Vec::new(), rows: Vec::new() }
    }

    pub(super) fn column(mut self, title: &str, side: Side, room: Room) -> Table {
        self.columns.push(Column { title: title.to_owned(), side, room });
        self
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes titles and rows in lines of at most so many places, each line after `margin`.
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

    /// As wide as the widest text, unless the line would be too long: then the widest flexible
    /// column gives way, place by place.
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
                .filter(|(column, width)| column.room == Room::Flexible && **width > LEAST);
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
        let mut table = Table::new()
            .column("이름", Side::Left, Room::Flexible)
            .column("n", Side::Right, Room::Fixed)
            .column("x", Side::Left, Room::Fixed);
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

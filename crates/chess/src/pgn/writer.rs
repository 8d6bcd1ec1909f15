//! Games as text, in the export format of the standard.

use std::io;

use super::visitor::normalised;
use super::{Line, Record, Tags};
use crate::{Color, Position, Variant};

/// Lines of movetext are shorter than 80 columns, unless a single word is longer.
const COLUMNS: usize = 79;

/// Writes games one after the other, each followed by an empty line.
///
/// The seven tags of the standard come first, `SetUp` and `FEN` when the start is not the usual
/// one, `Variant` for Chess960. A comment with a `}` in it is written with `;` to the end of a
/// line of its own length, because braces cannot hold it. Comments lose superfluous blanks, empty
/// comments and empty variations are left out. What is written is read again as the same game.
///
/// ```
/// use hansu_chess::pgn::{Reader, Writer};
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file);
/// for record in Reader::new("1. e4 *  1. d4 *".as_bytes()) {
///     writer.write(&record?)?;
/// }
/// assert_eq!(Reader::new(&file[..]).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    write: W,
    text: String,
}

impl<W: io::Write> Writer<W> {
    /// A writer into anything; each game is written at once, so a buffer is not needed.
    ///
    /// ```
    /// # use hansu_chess::pgn::Writer;
    /// let writer = Writer::new(Vec::new());
    /// assert!(writer.into_inner().is_empty());
    /// ```
    pub const fn new(write: W) -> Writer<W> {
        Writer { write, text: String::new() }
    }

    /// Writes one game.
    ///
    /// # Errors
    ///
    /// When the target returns an error.
    ///
    /// ```
    /// use hansu_chess::pgn::{Record, Writer};
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write(&Record::default())?;
    /// assert!(writer.into_inner().starts_with(b"[Event \"?\"]\n[Site \"?\"]\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        self.text.clear();
        push_record(&mut self.text, record);
        self.text.push('\n');
        self.write.write_all(self.text.as_bytes())
    }

    /// The target of the writer.
    ///
    /// ```
    /// # use hansu_chess::pgn::Writer;
    /// assert_eq!(Writer::new(vec![1]).into_inner(), [1]);
    /// ```
    pub fn into_inner(self) -> W {
        self.write
    }
}

pub(super) fn push_record(text: &mut String, record: &Record) {
    for (number, (name, value)) in record.tags.iter().enumerate() {
        push_tag(text, name, value);
        if number + 1 == Tags::BEFORE_RESULT {
            push_tag(text, "Result", record.result.text());
            push_start(text, record);
        }
    }
    text.push('\n');
    let mut words = Words { text, word: String::new(), column: 0, glued: false };
    push_line(&mut words, &record.main, record.start);
    words.begin(record.result.text());
    words.end_line();
}

/// Writes the tags of the variant and the start position.
fn push_start(text: &mut String, record: &Record) {
    if record.variant == Variant::Chess960 {
        push_tag(text, "Variant", "Chess960");
    }
    let fen = record.start.fen();
    if fen != Position::start().fen() {
        push_tag(text, "SetUp", "1");
        push_tag(text, "FEN", &fen);
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for letter in value.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
}

/// The position of the writer in a line.
struct Cursor<'a> {
    line: &'a Line,
    /// The next move.
    ply: usize,
    /// The next variation of the move before it.
    variation: usize,
    /// The position before the last move.
    before: Position,
    now: Position,
    /// True if Black's next move needs its move number.
    numbered: bool,
}

impl<'a> Cursor<'a> {
    const fn start(line: &'a Line, start: Position) -> Cursor<'a> {
        Cursor { line, ply: 0, variation: 0, before: start, now: start, numbered: true }
    }
}

/// Writes a line with all its variations; without recursion, because variations may be of any
/// depth.
fn push_line(words: &mut Words<'_>, main: &Line, start: Position) {
    push_comments(words, &main.comments);
    let mut cursors = vec![Cursor::start(main, start)];
    while let Some(cursor) = cursors.last_mut() {
        let last = cursor.ply.checked_sub(1).and_then(|last| cursor.line.plies.get(last));
        if let Some(variation) = last.and_then(|ply| ply.variations.get(cursor.variation)) {
            cursor.variation += 1;
            if !variation.is_empty() {
                cursor.numbered = true;
                let inner = Cursor::start(variation, cursor.before);
                words.begin("(");
                words.glue_next();
                push_comments(words, &variation.comments);
                cursors.push(inner);
            }
        } else if let Some(ply) = cursor.line.plies.get(cursor.ply) {
            push_number(words, &cursor.now, cursor.numbered);
            let mut san = String::with_capacity(8);
            cursor.now.san(ply.step).push_to(&mut san);
            words.begin(&san);
            for nag in &ply.nags {
                words.begin(&format!("${nag}"));
            }
            cursor.numbered = push_comments(words, &ply.comments);
            (cursor.before, cursor.now) = (cursor.now, cursor.now.play(ply.step));
            (cursor.ply, cursor.variation) = (cursor.ply + 1, 0);
        } else {
            cursors.pop();
            if !cursors.is_empty() {
                words.close(")");
            }
        }
    }
}

fn push_number(words: &mut Words<'_>, position: &Position, numbered: bool) {
    match position.turn() {
        Color::White => words.begin(&format!("{}.", position.fullmoves())),
        Color::Black if numbered => words.begin(&format!("{}...", position.fullmoves())),
        Color::Black => {}
    }
}

/// Writes comments; returns true if at least one is not empty.
fn push_comments(words: &mut Words<'_>, comments: &[String]) -> bool {
    let mut any = false;
    for comment in comments {
        let comment = normalised(comment.as_str().into());
        if comment.is_empty() {
            continue;
        }
        any = true;
        if comment.contains('}') {
            words.begin("; ");
            words.close(&comment);
            words.end_line();
            continue;
        }
        words.begin("{");
        words.glue_next();
        for word in words_of(&comment) {
            words.begin(word);
        }
        words.close("}");
    }
    any
}

/// The words of a comment. A command such as `[%eval 0.34]` is one word, because programs expect it
/// on one line.
fn words_of(comment: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(comment);
    std::iter::from_fn(move || {
        let text = rest?;
        let command = text.starts_with("[%").then(|| text.find(']')).flatten();
        let end = text[command.unwrap_or(0)..].find(' ').map(|at| at + command.unwrap_or(0));
        rest = end.map(|end| &text[end + 1..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

/// Words with spaces or line ends between them.
struct Words<'a> {
    text: &'a mut String,
    /// The last word, which may still grow.
    word: String,
    /// The column after the words before it.
    column: usize,
    /// True if the next word follows without a space.
    glued: bool,
}

impl Words<'_> {
    fn begin(&mut self, word: &str) {
        if !std::mem::take(&mut self.glued) {
            self.flush();
        }
        self.word.push_str(word);
    }

    /// The next word follows without a space.
    const fn glue_next(&mut self) {
        self.glued = true;
    }

    /// Appends to the last word.
    fn close(&mut self, end: &str) {
        self.glued = false;
        self.word.push_str(end);
    }

    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width = self.word.chars().count();
        if self.column > 0 && self.column + 1 + width > COLUMNS {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += width;
        self.word.clear();
    }

    fn end_line(&mut self) {
        self.flush();
        self.text.push('\n');
        self.column = 0;
        self.glued = false;
    }
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn a_command_in_a_comment_is_one_word() {
        for (comment, words) in [
            ("[%eval 0.34] Better was e4.", &["[%eval 0.34]", "Better", "was", "e4."][..]),
            ("[%clk 0:01:00][%eval #3]", &["[%clk 0:01:00][%eval", "#3]"]),
            ("see [%cal Ge2e4]", &["see", "[%cal Ge2e4]"]),
            ("[%eval 0.3", &["[%eval", "0.3"]),
            ("[1] a]", &["[1]", "a]"]),
            ("", &[""]),
        ] {
            assert_eq!(words_of(comment).collect::<Vec<_>>(), words, "{comment}");
        }
    }
}

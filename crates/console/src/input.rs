//! Lines in, lines out: the only part that reads and writes.

use std::io::{self, BufRead, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::{Console, Line, Next};

/// Nobody types longer lines; the rest of one is thrown away, however long.
const LONGEST_LINE: usize = 4_096;

/// Where lines come from.
pub enum Input<R> {
    /// A file, a pipe, or a terminal that is not both ends of the conversation.
    Plain(R),
    /// A person at a terminal, with line editing and history.
    Person(Box<Editor<(), MemHistory>>),
}

/// How reading ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// The game is over.
    Ended,
    /// There are no more lines; the game can be gone on with.
    NoMoreLines,
    /// Somebody pressed Ctrl-C; the game can be gone on with.
    Interrupted,
}

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than 4,096 bytes; it was read and thrown away.
    TooLong,
}

impl Typed {
    /// The line as the game reads it.
    pub fn as_line(&self) -> Line<'_> {
        match self {
            Typed::Line(bytes) => Line::from(bytes.as_slice()),
            Typed::TooLong => Line::Unreadable,
        }
    }
}

enum Got {
    Typed(Typed),
    End(Read),
}

impl<R> Input<R> {
    /// A person at a terminal.
    ///
    /// # Errors
    ///
    /// When the terminal cannot be used.
    pub fn person() -> io::Result<Input<R>> {
        let editor = Editor::with_history(Config::default(), MemHistory::new()).map_err(other)?;
        Ok(Input::Person(Box::new(editor)))
    }
}

impl<R: BufRead> Input<R> {
    fn next(&mut self) -> io::Result<Got> {
        match self {
            Input::Plain(reader) => {
                Ok(read_line(reader)?.map_or(Got::End(Read::NoMoreLines), Got::Typed))
            }
            Input::Person(editor) => match editor.readline("") {
                Ok(line) if line.len() > LONGEST_LINE => Ok(Got::Typed(Typed::TooLong)),
                Ok(line) => {
                    // A line that is not remembered is no harm.
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(Got::Typed(Typed::Line(line.into_bytes())))
                }
                Err(ReadlineError::Eof) => Ok(Got::End(Read::NoMoreLines)),
                Err(ReadlineError::Interrupted) => Ok(Got::End(Read::Interrupted)),
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    Ok(Got::Typed(Typed::TooLong))
                }
                Err(error) => Err(other(error)),
            },
        }
    }
}

fn other(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// Reads a line in bounded memory; `None` at the end of the input.
///
/// # Errors
///
/// When the input cannot be read.
///
/// ```
/// use hansu_console::{Line, Typed, read_line};
/// let mut input = &b"e2 e4\n"[..];
/// assert_eq!(read_line(&mut input)?.as_ref().map(Typed::as_line), Some(Line::Text("e2 e4")));
/// assert_eq!(read_line(&mut input)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Typed>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() && !any {
            return Ok(None);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let (read, whole) =
            (part.len() + usize::from(end.is_some()), end.is_some() || chunk.is_empty());
        any = true;
        reader.consume(read);
        if whole {
            return Ok(Some(if too_long { Typed::TooLong } else { Typed::Line(line) }));
        }
    }
}

/// Says the greeting, then answers lines until the game or the input ends. Everything said is
/// flushed before a line is read.
///
/// # Errors
///
/// When the input cannot be read or the output not be written. The game is kept up to its last
/// move even then.
///
/// ```
/// use hansu_console::{Console, Input, Options, Read, Table, converse};
/// use hansu_play::Start;
/// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
/// let mut console = Console::new(table, Options::default());
/// let (mut said, mut notices) = (Vec::new(), Vec::new());
/// let input = Input::Plain(&b"e2 e4\n"[..]);
/// let read = converse(&mut console, "hello\n", input, &mut said, &mut notices)?;
/// assert_eq!(read, Read::NoMoreLines);
/// assert!(String::from_utf8(said)?.ends_with("흑 기물을 움직여주세요.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn converse(
    console: &mut Console,
    greeting: &str,
    mut input: Input<impl BufRead>,
    out: &mut impl Write,
    notices: &mut impl Write,
) -> io::Result<Read> {
    out.write_all(greeting.as_bytes())?;
    loop {
        out.flush()?;
        // The own move is seen before the opponent begins to think.
        let said = match console.reply() {
            Some(said) => said,
            None => match input.next()? {
                Got::Typed(typed) => console.answer(typed.as_line()),
                Got::End(read) => return Ok(read),
            },
        };
        if !said.notice.is_empty() {
            // The game goes on even if nobody listens on standard error.
            let _ = writeln!(notices, "{}", said.notice).and_then(|()| notices.flush());
        }
        out.write_all(said.text.as_bytes())?;
        if said.next == Next::End {
            out.flush()?;
            return Ok(Read::Ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read as _};

    use super::*;

    fn lines(input: impl io::Read) -> Vec<Option<Vec<u8>>> {
        let mut reader = BufReader::with_capacity(7, input);
        let mut lines = Vec::new();
        while let Some(typed) = read_line(&mut reader).expect("a readable input") {
            lines.push(match typed {
                Typed::Line(line) => Some(line),
                Typed::TooLong => None,
            });
        }
        lines
    }

    #[test]
    fn lines_end_with_a_newline_or_the_input() {
        let whole = |texts: &[&str]| -> Vec<Option<Vec<u8>>> {
            texts.iter().map(|text| Some(text.as_bytes().to_vec())).collect()
        };
        assert_eq!(lines(&b""[..]), whole(&[]));
        assert_eq!(lines(&b"\n"[..]), whole(&[""]));
        assert_eq!(lines(&b"a\n\nb"[..]), whole(&["a", "", "b"]));
        assert_eq!(lines(&b"123456\n1234567\n"[..]), whole(&["123456", "1234567"]));
    }

    #[test]
    fn an_endless_line_takes_no_memory() {
        let endless = io::repeat(b'x').take(100_000_000);
        assert_eq!(lines(endless.chain(&b"\ne2 e4\n"[..])), [None, Some(b"e2 e4".to_vec())]);
        let most = vec![b'x'; LONGEST_LINE];
        assert_eq!(lines(&most[..]), [Some(most.clone())]);
        assert_eq!(lines(io::repeat(b'x').take(LONGEST_LINE as u64 + 1)), [None]);
    }
}

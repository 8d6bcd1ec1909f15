//! The input and output of the line game.

use std::io::{self, BufRead, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::{Console, InputLine, Next};

/// The longest line, in bytes. A longer one is read to its end and dropped.
const LONGEST_LINE: usize = 4_096;

/// Where lines come from.
pub enum Input<R> {
    /// A file, a pipe, or a terminal whose output goes elsewhere.
    Plain(R),
    /// A terminal, with line editing and history.
    Person(Box<Editor<(), MemHistory>>),
}

/// Why a game stopped reading lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversationEnd {
    /// The game is over.
    GameOver,
    /// The input ended; the game can be resumed.
    NoMoreLines,
    /// The player pressed Ctrl-C; the game can be resumed.
    Interrupted,
}

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedLine {
    /// A line without its end.
    Bytes(Vec<u8>),
    /// A line longer than 4,096 bytes; its content is dropped.
    TooLong,
}

impl TypedLine {
    /// The line, for [`Console::answer`].
    pub fn as_line(&self) -> InputLine<'_> {
        match self {
            TypedLine::Bytes(bytes) => InputLine::from(bytes.as_slice()),
            TypedLine::TooLong => InputLine::Unreadable,
        }
    }
}

enum NextInput {
    Line(TypedLine),
    End(ConversationEnd),
}

impl<R> Input<R> {
    /// Lines from the terminal, with line editing and history.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be used.
    pub fn person() -> io::Result<Input<R>> {
        let editor =
            Editor::with_history(Config::default(), MemHistory::new()).map_err(into_io_error)?;
        Ok(Input::Person(Box::new(editor)))
    }
}

impl<R: BufRead> Input<R> {
    fn next(&mut self) -> io::Result<NextInput> {
        match self {
            Input::Plain(reader) => Ok(read_line(reader)?
                .map_or(NextInput::End(ConversationEnd::NoMoreLines), NextInput::Line)),
            Input::Person(editor) => match editor.readline("") {
                Ok(line) if line.len() > LONGEST_LINE => Ok(NextInput::Line(TypedLine::TooLong)),
                Ok(line) => {
                    // A line that is missing in the history does no harm.
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(NextInput::Line(TypedLine::Bytes(line.into_bytes())))
                }
                Err(ReadlineError::Eof) => Ok(NextInput::End(ConversationEnd::NoMoreLines)),
                Err(ReadlineError::Interrupted) => Ok(NextInput::End(ConversationEnd::Interrupted)),
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    Ok(NextInput::Line(TypedLine::TooLong))
                }
                Err(error) => Err(into_io_error(error)),
            },
        }
    }
}

fn into_io_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// Reads a line in bounded memory; None at the end of the input.
///
/// # Errors
///
/// If the input cannot be read.
///
/// ```
/// use hansu_console::{InputLine, TypedLine, read_line};
/// let mut input = &b"e2 e4\n"[..];
/// let line = read_line(&mut input)?;
/// assert_eq!(line.as_ref().map(TypedLine::as_line), Some(InputLine::Text("e2 e4")));
/// assert_eq!(read_line(&mut input)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<TypedLine>> {
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
            return Ok(Some(if too_long { TypedLine::TooLong } else { TypedLine::Bytes(line) }));
        }
    }
}

/// Writes the greeting, then answers lines until the game or the input ends. All output is flushed
/// before a line is read.
///
/// # Errors
///
/// If the input cannot be read or the output cannot be written. All moves are in the log even then.
///
/// ```
/// use hansu_console::{Console, ConversationEnd, Input, KeptGame, Options, converse};
/// use hansu_play::Start;
/// let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
/// let mut console = Console::new(game, Options::default());
/// let (mut output, mut notices) = (Vec::new(), Vec::new());
/// let input = Input::Plain(&b"e2 e4\n"[..]);
/// let read = converse(&mut console, "hello\n", input, &mut output, &mut notices)?;
/// assert_eq!(read, ConversationEnd::NoMoreLines);
/// assert!(String::from_utf8(output)?.ends_with("흑 기물을 움직여주세요.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn converse(
    console: &mut Console,
    greeting: &str,
    mut input: Input<impl BufRead>,
    out: &mut impl Write,
    notices: &mut impl Write,
) -> io::Result<ConversationEnd> {
    out.write_all(greeting.as_bytes())?;
    loop {
        out.flush()?;
        // The player's move is shown before the opponent begins to think.
        let reply = match console.play_opponent() {
            Some(reply) => reply,
            None => match input.next()? {
                NextInput::Line(typed) => console.answer(typed.as_line()),
                NextInput::End(read) => return Ok(read),
            },
        };
        if !reply.notice.is_empty() {
            // The game continues even if standard error is closed.
            let _ = writeln!(notices, "{}", reply.notice).and_then(|()| notices.flush());
        }
        out.write_all(reply.text.as_bytes())?;
        if reply.next == Next::End {
            out.flush()?;
            return Ok(ConversationEnd::GameOver);
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
                TypedLine::Bytes(line) => Some(line),
                TypedLine::TooLong => None,
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

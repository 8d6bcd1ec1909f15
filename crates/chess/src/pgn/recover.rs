//! Behind a broken game: where the next one may begin.

use std::io::Read;

use super::error::{PgnError, PgnReason};
use super::movetext::{self, MARGIN};
use super::reader::{Reader, Section, Span};
use super::{GameResult, scan};

impl<R: Read> Reader<R> {
    /// Steps to the end of the game that was begun: behind its result, or before the next tags.
    pub(super) fn recover(&mut self) {
        while self.skip_blank() {
            match self.buffer.peek() {
                Some(b'[') if self.section == Section::Tags => {
                    let event = self.is_event();
                    if event && self.event {
                        return;
                    }
                    self.event |= event;
                    self.skip_line();
                }
                Some(b'[') if self.is_tag_line() => return,
                Some(b'[') => self.buffer.advance(1),
                // If it does not end, it has stopped before the next tags.
                Some(opening @ (b'{' | b';')) => _ = self.span(opening, Span::Skip),
                Some(_) => {
                    self.section = Section::Movetext;
                    if self.skip_word() {
                        while matches!(self.buffer.peek(), Some(b' ' | b'\t')) {
                            self.buffer.advance(1);
                        }
                        if let Some(opening @ (b'{' | b';')) = self.buffer.peek() {
                            _ = self.span(opening, Span::Skip);
                        }
                        return;
                    }
                }
                None => return,
            }
        }
    }

    /// Steps over a word or a parenthesis; true if it was the result of the game.
    fn skip_word(&mut self) -> bool {
        self.buffer.want(MARGIN);
        let rest = self.buffer.rest();
        // No farther: a word of a gigabyte would be looked through again for every step.
        let rest = &rest[..rest.len().min(MARGIN)];
        let end = movetext::word_end(rest, 1);
        let word = &rest[..end];
        let result = GameResult::from_text(word).is_some();
        match word {
            [b'(', ..] => self.depth = self.depth.saturating_add(1),
            [b')', ..] => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        // What may stand glued behind one of these is looked at by itself.
        let single = matches!(word, [b'(' | b')' | b'*' | b'.' | b'!' | b'?' | b'}' | b']', ..]);
        let result = result || single && word[0] == b'*';
        self.buffer.advance(if single { 1 } else { end });
        result && (self.depth == 0 || self.is_empty_line_next())
    }

    /// True if the line ends here and an empty one follows, or nothing at all: then a game ends
    /// even if its parentheses do not.
    fn is_empty_line_next(&mut self) -> bool {
        self.buffer.want(MARGIN);
        let rest = self.buffer.rest();
        let rest = &rest[..rest.len().min(MARGIN)];
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        blank == rest.len() || scan::newlines(&rest[..blank]) >= 2
    }

    /// Steps over a variation, however deep.
    pub(super) fn skip_variation(&mut self) -> Result<(), PgnError> {
        let line = self.buffer.line();
        let unterminated = Err(PgnError { line, reason: PgnReason::UnterminatedVariation });
        let mut depth = 0u64;
        loop {
            let rest = self.buffer.rest();
            let stop = |byte: &u8| matches!(byte, b'(' | b')' | b'{' | b';' | b'%' | b'[');
            let Some(distance) = rest.iter().position(stop) else {
                let all = rest.len();
                self.buffer.advance(all);
                if self.buffer.more() {
                    continue;
                }
                return unterminated;
            };
            let byte = rest[distance];
            self.buffer.advance(distance);
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'{' | b';' => {
                    self.span(byte, Span::Skip)?;
                    continue;
                }
                b'%' if self.buffer.at_line_start() => self.skip_line(),
                b'[' if self.is_tag_line() => return unterminated,
                _ => {}
            }
            self.buffer.advance(1);
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

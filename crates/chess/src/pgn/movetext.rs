//! The hot loop: moves, numbers, signs, comments and variations, as long as they are in memory.

use super::error::{Part, PgnReason, Word};
use super::visitor::{Raw, RawSan, Visitor};
use super::{GameResult, MAX_COMMENT, MAX_DEPTH, MAX_TOKEN, lenient, scan};
use crate::San;

/// At least this many bytes are in memory from the start of each word, unless the file ends before.
pub(super) const MARGIN: usize = 4 * MAX_TOKEN;

/// Why the loop has stopped; it stands before the thing named, except behind a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Less than [`MARGIN`] is in memory.
    Margin,
    /// A comment that does not end in memory.
    Comment,
    /// A `;`
    LineComment,
    /// A `[`
    Bracket,
    /// A `%`
    Percent,
    /// A variation that is not wanted.
    Variation,
    /// The game is over; stands behind the result.
    Result(GameResult),
}

/// Bytes without meaning: blanks, and dots outside of numbers.
const BLANK: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | b'.');
        byte += 1;
    }
    table
};

/// What a move begins with, except a digit. The hyphen begins a null move.
const LETTER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'-');
        byte += 1;
    }
    table
};

/// What words are made of: moves, results, and what looks like them.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(
            byte as u8,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'#' | b'=' | b'/' | b':' | b'_'
        );
        byte += 1;
    }
    table
};

/// Where the word that begins before `from` ends.
#[inline(always)]
pub(super) fn word_end(text: &[u8], from: usize) -> usize {
    let mut end = from;
    while let Some(&byte) = text.get(end)
        && IN_WORD[usize::from(byte)]
    {
        end += 1;
    }
    end
}

/// Passes what stands in `text` from `at` on to the visitor. `soft_end` is where a new word may no
/// longer begin. After an error, `at` is where it was found.
#[inline(always)]
pub(super) fn walk<V: Visitor>(
    text: &[u8],
    at: &mut usize,
    soft_end: usize,
    depth: &mut usize,
    visitor: &mut V,
) -> Result<Stop, PgnReason> {
    let soft_end = soft_end.min(text.len());
    let mut here = *at;
    let stop = loop {
        if here >= soft_end {
            break Ok(Stop::Margin);
        }
        let word = word_at(text, here);
        let byte = word as u8;
        // Comparisons in sequence: a jump table is predicted wrong more often.
        if LETTER[usize::from(byte)] {
            let (san, next) = san_at(text, here, word);
            if let Err(reason) = hand_move(visitor, san) {
                break Err(reason);
            }
            here = next;
        } else if byte == b'{' {
            match comment(text, here, visitor) {
                Ok(Some(next)) => here = next,
                Ok(None) => break Ok(Stop::Comment),
                Err(reason) => break Err(reason),
            }
        } else if byte.is_ascii_digit() {
            let length = scan::number_in(word);
            if length > 0 {
                here += length;
                continue;
            }
            match number_or_result(text, here) {
                Digits::Number(end) => {
                    if V::LENIENT
                        && text[here..end] == *b"0000"
                        && let Err(reason) = hand_move(visitor, RawSan::new(b"0000"))
                    {
                        break Err(reason);
                    }
                    here = end;
                }
                Digits::Result(result, end) => {
                    here = end;
                    // Behind a variation a result means nothing.
                    if *depth == 0 {
                        break Ok(Stop::Result(result));
                    }
                }
                Digits::Castling(end) if V::LENIENT && text[here..end] == *b"1/2" => {
                    here = end;
                    if *depth == 0 {
                        break Ok(Stop::Result(GameResult::Draw));
                    }
                }
                Digits::Castling(end) => {
                    if let Err(reason) = hand_move(visitor, RawSan::new(&text[here..end])) {
                        break Err(reason);
                    }
                    here = end;
                }
                Digits::TooLong => break Err(PgnReason::TooLong(Part::Token)),
            }
        } else if BLANK[usize::from(byte)] {
            here += 1;
        } else {
            match special(text, &mut here, depth, visitor) {
                Ok(None) => {}
                Ok(Some(stop)) => break Ok(stop),
                Err(reason) => break Err(reason),
            }
        }
    };
    *at = here;
    stop
}

/// Eight bytes from here on, the first one lowest; zeros behind the end.
#[inline(always)]
fn word_at(text: &[u8], here: usize) -> u64 {
    let rest = &text[here..];
    rest.first_chunk().map_or_else(|| last_word(rest), |word| u64::from_le_bytes(*word))
}

/// Fewer than eight bytes. Apart: its loop would take registers away from that of the moves.
#[cold]
#[inline(never)]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Nearly always one blank follows a word, and it need not go through the loop.
#[inline(always)]
fn behind_blank(text: &[u8], end: usize) -> usize {
    if text.get(end) == Some(&b' ') { end + 1 } else { end }
}

/// The move that begins here, and where to go on. Its end and its meaning are found together: a
/// move of a common shape with a blank behind it needs no look at each byte.
#[inline(always)]
fn san_at(text: &[u8], here: usize, word: u64) -> (RawSan<'_>, usize) {
    let length = scan::blank_in(word);
    if length < 8
        && let Some(san) = San::common(word, length)
    {
        let end = here + length as usize;
        let next = end + usize::from(BLANK[usize::from((word >> (8 * length)) as u8)]);
        return (RawSan::already_read(&text[here..end], san), next);
    }
    let end = word_end(text, here + 1);
    (RawSan::new(&text[here..end]), behind_blank(text, end))
}

#[inline(always)]
fn hand_move<V: Visitor>(visitor: &mut V, san: RawSan<'_>) -> Result<(), PgnReason> {
    if san.bytes().len() > MAX_TOKEN {
        return Err(PgnReason::TooLong(Part::Token));
    }
    visitor.san(san)
}

/// What digits begin.
enum Digits {
    /// A move number, or digits that mean nothing, up to here.
    Number(usize),
    Result(GameResult, usize),
    /// With zeros.
    Castling(usize),
    TooLong,
}

/// What digits begin if they are not a number with dots and a blank after it.
#[inline(never)]
fn number_or_result(text: &[u8], from: usize) -> Digits {
    let mut end = from + 1;
    while text.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    if end - from > MAX_TOKEN {
        return Digits::TooLong;
    }
    match text.get(end) {
        Some(b'-' | b'/') => {
            let end = word_end(text, end);
            match GameResult::from_text(&text[from..end]) {
                Some(result) => Digits::Result(result, end),
                None => Digits::Castling(end),
            }
        }
        // Also where a move follows at once (`1e4`); dots are blanks.
        _ => Digits::Number(end),
    }
}

/// Passes the comment that begins here to the visitor and returns where to continue; `None` if its
/// end is not in memory.
#[inline(always)]
fn comment<V: Visitor>(
    text: &[u8],
    here: usize,
    visitor: &mut V,
) -> Result<Option<usize>, PgnReason> {
    let start = here + 1;
    let CommentEnd::At(end) = comment_end(text, start) else {
        return Ok(None);
    };
    if V::COMMENTS {
        if end - start > MAX_COMMENT {
            return Err(PgnReason::TooLong(Part::Comment));
        }
        visitor.comment(Raw::comment(&text[start..end]))?;
    }
    Ok(Some(behind_blank(text, end + 1)))
}

/// All that is neither blank nor word nor comment. `None` goes on.
#[inline(always)]
fn special<V: Visitor>(
    text: &[u8],
    here: &mut usize,
    depth: &mut usize,
    visitor: &mut V,
) -> Result<Option<Stop>, PgnReason> {
    match text[*here] {
        b'!' | b'?' => {
            let (nag, length) = sign(&text[*here..]);
            visitor.nag(nag)?;
            *here += length;
        }
        b'$' => {
            if let Some((nag, length)) = numbered_sign(&text[*here..]) {
                visitor.nag(nag)?;
                *here += length;
            } else if V::LENIENT {
                *here += lenient::unknown_sign(&text[*here..]);
            } else {
                return Err(PgnReason::Nag);
            }
        }
        b'(' if V::VARIATIONS => {
            if *depth == MAX_DEPTH {
                return Err(PgnReason::TooDeep);
            }
            visitor.open()?;
            *depth += 1;
            *here += 1;
        }
        b'(' => return Ok(Some(Stop::Variation)),
        b')' if *depth > 0 => {
            visitor.close()?;
            *depth -= 1;
            *here += 1;
        }
        b')' | b'}' => return Err(PgnReason::NothingToClose),
        b'*' => {
            *here += 1;
            if *depth == 0 {
                return Ok(Some(Stop::Result(GameResult::Unknown)));
            }
        }
        b';' => return Ok(Some(Stop::LineComment)),
        b'[' => return Ok(Some(Stop::Bracket)),
        b'%' => return Ok(Some(Stop::Percent)),
        0xef if text[*here..].starts_with(b"\xef\xbb\xbf") => *here += 3,
        _ if V::LENIENT => {
            let rest = &text[*here..];
            let half = lenient::half(rest);
            let length = if half > 0 { half } else { lenient::signs(rest) };
            if length == 0 {
                return Err(unexpected(rest));
            }
            *here += length;
            if half > 0 && *depth == 0 {
                return Ok(Some(Stop::Result(GameResult::Draw)));
            }
        }
        _ => return Err(unexpected(&text[*here..])),
    }
    Ok(None)
}

/// What stands here, up to the next blank, does not belong into a game.
pub(super) fn unexpected(text: &[u8]) -> PgnReason {
    let end = text.iter().take(MAX_TOKEN).position(u8::is_ascii_whitespace);
    PgnReason::Unexpected(Word::new(&text[..end.unwrap_or(text.len())]))
}

/// `!` and its kin, by the numbers of the standard, and how long they are.
fn sign(text: &[u8]) -> (u8, usize) {
    match text {
        [b'!', b'!', ..] => (3, 2),
        [b'?', b'?', ..] => (4, 2),
        [b'!', b'?', ..] => (5, 2),
        [b'?', b'!', ..] => (6, 2),
        [b'!', ..] => (1, 1),
        _ => (2, 1),
    }
}

/// `$` and a number up to 255, and how long both are.
fn numbered_sign(text: &[u8]) -> Option<(u8, usize)> {
    let digits = text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = str::from_utf8(&text[1..=digits]).ok()?.parse().ok()?;
    Some((number, 1 + digits))
}

/// Where a comment ends.
pub(super) enum CommentEnd {
    /// At this `}`.
    At(usize),
    /// Nowhere: here another game begins.
    Missing(usize),
    /// Not in memory; the search goes on from here when there is more.
    Further(usize),
}

/// Looks for the end of a comment, from a place inside of it.
#[inline(always)]
pub(super) fn comment_end(text: &[u8], from: usize) -> CommentEnd {
    let mut here = from;
    loop {
        here += scan::brace_or_newline(&text[here..]);
        match text.get(here) {
            None => return CommentEnd::Further(here),
            Some(b'}') => return CommentEnd::At(here),
            Some(_) => match tag_after_empty_line(&text[here..]) {
                Ahead::Yes(distance) => return CommentEnd::Missing(here + distance),
                Ahead::No => here += 1,
                Ahead::Unknown => return CommentEnd::Further(here),
            },
        }
    }
}

/// What stands ahead, as far as it is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ahead {
    /// What was searched for, at this distance.
    Yes(usize),
    No,
    /// More input is needed to decide.
    Unknown,
}

/// How far to look for the end of a line with nothing but blanks.
const BLANKS: usize = 8;

/// How far to look for the quote that makes a bracket a tag.
const NAME: usize = 255;

/// This many bytes are enough to tell a tag from another bracket.
pub(super) const TAG_AHEAD: usize = 1 + NAME + BLANKS + 1;

/// True if behind this line end come an empty line and a tag.
fn tag_after_empty_line(text: &[u8]) -> Ahead {
    let blanks = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let distance = 1 + text[1..].iter().take(BLANKS).take_while(blanks).count();
    match text.get(distance) {
        None => Ahead::Unknown,
        Some(b'\n') => match is_tag(&text[distance + 1..]) {
            Ahead::Yes(_) => Ahead::Yes(distance + 1),
            other => other,
        },
        Some(_) => Ahead::No,
    }
}

/// True if this begins like a tag: a bracket, a name, blanks, a quote.
pub(super) fn is_tag(text: &[u8]) -> Ahead {
    match text {
        [] => return Ahead::Unknown,
        [b'[', ..] => {}
        _ => return Ahead::No,
    }
    let rest = &text[1..];
    let name = rest.iter().take(NAME).take_while(|&&byte| super::tags::is_name_byte(byte)).count();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = rest[name..].iter().take(BLANKS).take_while(blank).count();
    match rest.get(name + blanks) {
        None => Ahead::Unknown,
        Some(b'"') if name > 0 => Ahead::Yes(0),
        Some(_) => Ahead::No,
    }
}

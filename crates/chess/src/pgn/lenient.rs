//! Moves as other programs write them: read only where standard notation has no meaning, so that
//! a game in standard notation is read the same with and without this.
//!
//! - UCI and long algebraic moves: `g1f3`, `e7e8q`, `Ng1-f3`, `e5xd6ep`, `Ke1-g1`.
//! - Short moves with unusual signs: `N:f3`, `Pe4`, `e8/Q`, `e8=q`, `nf3`, `o-o`, `OO`.
//! - Null moves: `--`, `Z0`, `0000`, `null`, `pass`. The rules have no such move: the line ends
//!   before it, and what follows is kept as a comment.
//! - Remarks between moves: `+-`, `=`, `ep`, `N` (a novelty), `D` (a diagram).

use crate::{Move, Position, Role, San, Square};

/// What a word means that is not a move in standard notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Move(Move),
    Null,
    /// A remark about a move for which the standard has no glyph.
    Remark,
}

/// What the word means in the position; `None` when it means nothing that is known.
#[cold]
#[inline(never)]
pub(super) fn meaning(word: &[u8], position: &Position) -> Option<Meaning> {
    match word {
        b"--" | b"Z0" | b"0000" | b"null" | b"NULL" | b"pass" => return Some(Meaning::Null),
        b"e" | b"p" | b"ep" | b"N" | b"TN" | b"D" => return Some(Meaning::Remark),
        _ if word.iter().all(|byte| b"+-=/".contains(byte)) => return Some(Meaning::Remark),
        _ => {}
    }
    let bare = without_signs(word);
    two_squares(bare, position).or_else(|| respell(bare, position)).map(Meaning::Move)
}

/// Without what is written behind a move: check, mate, en passant.
fn without_signs(word: &[u8]) -> &[u8] {
    let mut word = word;
    while let [rest @ .., b'+' | b'#' | b'!' | b'?'] = word {
        word = rest;
    }
    match word {
        [rest @ .., b'1'..=b'8', b'e', b'p'] | [rest @ .., b'1'..=b'8', b'e'] => {
            &word[..=rest.len()]
        }
        _ => word,
    }
}

/// A move written with both of its squares.
fn two_squares(word: &[u8], position: &Position) -> Option<Move> {
    let (role, word) = match word {
        [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest @ ..] => (role(*letter), rest),
        _ => (None, word),
    };
    let (from, word) = square(word)?;
    let word = match word {
        [b'-' | b'x' | b':', rest @ ..] => rest,
        _ => word,
    };
    let (to, word) = square(word)?;
    let promotion = match word {
        [] => None,
        [letter] | [b'=' | b'/', letter] => Some(self::role(letter.to_ascii_uppercase())?),
        _ => return None,
    };
    if role.is_some_and(|role| position.piece_at(from).map(|piece| piece.role) != Some(role)) {
        return None;
    }
    position.judge(from, to, promotion).ok()
}

fn role(letter: u8) -> Option<Role> {
    match letter {
        b'P' => Some(Role::Pawn),
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// The square that stands first, and what follows.
fn square(text: &[u8]) -> Option<(Square, &[u8])> {
    let (name, rest) = text.split_at_checked(2)?;
    Some((str::from_utf8(name).ok()?.parse().ok()?, rest))
}

/// A short move with other signs or letters than the standard's.
fn respell(word: &[u8], position: &Position) -> Option<Move> {
    let castling = match word.to_ascii_uppercase().as_slice() {
        b"O-O" | b"OO" => Some("O-O"),
        b"O-O-O" | b"OOO" => Some("O-O-O"),
        _ => None,
    };
    let play = |text: &[u8]| San::read(text, true).ok()?.to_move(position).ok();
    if let Some(text) = castling {
        return play(text.as_bytes());
    }
    let word = word.strip_prefix(b"P").unwrap_or(word);
    let mut text: Vec<u8> = word
        .iter()
        .map(|byte| match byte {
            b':' => b'x',
            b'/' => b'=',
            other => *other,
        })
        .collect();
    // `e8=q`
    if let [.., b'=', letter] = &mut text[..] {
        letter.make_ascii_uppercase();
    }
    play(&text).or_else(|| {
        // `nf3`; `bc3` was a pawn's move if that is legal.
        text.first_mut()?.make_ascii_uppercase();
        play(&text)
    })
}

/// Signs that stand between moves and are not words: how long they are; 0 for anything else.
#[cold]
#[inline(never)]
pub(super) fn signs(text: &[u8]) -> usize {
    let is_sign = |byte: &&u8| !byte.is_ascii() || b"+=~/<>^|-".contains(byte);
    text.iter().take_while(is_sign).count()
}

/// A draw as `½-½` or `½`, in UTF-8 or Latin-1: how long it is; 0 for anything else.
#[cold]
#[inline(never)]
pub(super) fn half(text: &[u8]) -> usize {
    let one = |text: &[u8]| match text {
        [0xc2, 0xbd, ..] => 2,
        [0xbd, ..] => 1,
        _ => 0,
    };
    let first = one(text);
    match text.get(first) {
        Some(b'-') if first > 0 => match one(&text[first + 1..]) {
            0 => first,
            second => first + 1 + second,
        },
        _ => first,
    }
}

/// `$` and more digits than a sign has: how long they are.
pub(super) fn unknown_sign(text: &[u8]) -> usize {
    1 + text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameResult, Keep, PgnReason, Reader, Record};

    fn games(text: &str) -> Vec<Result<Record, PgnReason>> {
        let reader = Reader::new(text.as_bytes()).lenient();
        reader.map(|game| game.map_err(|error| error.reason)).collect()
    }

    /// The moves of the only game as they are written.
    #[track_caller]
    fn rewrite(text: &str) -> String {
        let games = games(text);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        let text = games[0].as_ref().expect(text).to_string();
        text.split_once("\n\n").expect("tags").1.trim_end().to_owned()
    }

    fn in_position(fen: &str, word: &str) -> Option<String> {
        let position: Position = fen.parse().expect(fen);
        match meaning(word.as_bytes(), &position)? {
            Meaning::Move(step) => Some(position.san(step).to_string()),
            Meaning::Null => Some("null".to_owned()),
            Meaning::Remark => Some("remark".to_owned()),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// White castles both ways, promotes on a8 and takes on b8, and takes en passant on d6.
    const RICH: &str = "1n2k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1";

    #[test]
    fn words_mean_what_other_programs_mean_by_them() {
        for (fen, word, expected) in [
            (START, "g1f3", Some("Nf3")),
            (START, "g1-f3", Some("Nf3")),
            (START, "Ng1-f3", Some("Nf3")),
            (START, "Ng1f3", Some("Nf3")),
            (START, "Pe2-e4", Some("e4")),
            (START, "Pe4", Some("e4")),
            (START, "nf3", Some("Nf3")),
            (START, "Bg1-f3", None),
            (START, "g1-f4", None),
            (START, "e2e4q", None),
            (START, "Kf3", None),
            (START, "hello", None),
            (START, "", Some("remark")),
            (START, "g1", None),
            (START, "g1f", None),
            (START, "--", Some("null")),
            (START, "Z0", Some("null")),
            (START, "0000", Some("null")),
            (START, "null", Some("null")),
            (START, "NULL", Some("null")),
            (START, "pass", Some("null")),
            (START, "-+", Some("remark")),
            (START, "+/-", Some("remark")),
            (START, "=", Some("remark")),
            (START, "ep", Some("remark")),
            (START, "e", Some("remark")),
            (START, "p", Some("remark")),
            (START, "N", Some("remark")),
            (START, "TN", Some("remark")),
            (START, "D", Some("remark")),
            (RICH, "e1g1", Some("O-O")),
            (RICH, "Ke1-c1", Some("O-O-O")),
            (RICH, "o-o", Some("O-O")),
            (RICH, "ooo", Some("O-O-O")),
            (RICH, "OO", Some("O-O")),
            (RICH, "a7a8q", Some("a8=Q")),
            (RICH, "a7-a8=N", Some("a8=N")),
            (RICH, "a7a8/R", Some("a8=R")),
            (RICH, "a7xb8Q+", Some("axb8=Q+")),
            (RICH, "a7:b8=b", Some("axb8=B")),
            (RICH, "a8/Q", Some("a8=Q")),
            (RICH, "a8=q", Some("a8=Q")),
            (RICH, "a:b8Q", Some("axb8=Q+")),
            (RICH, "a7a8", None),
            (RICH, "a7a8=", None),
            (RICH, "a7a8qq", None),
            (RICH, "e5xd6ep", Some("exd6")),
            (RICH, "exd6ep", Some("exd6")),
            (RICH, "exd6e", Some("exd6")),
            (RICH, "e5d6#", Some("exd6")),
        ] {
            assert_eq!(in_position(fen, word).as_deref(), expected, "{word} in {fen}");
        }
    }

    #[test]
    fn a_line_ends_before_a_null_move() {
        assert_eq!(rewrite("1. e4 -- 2. d4 $1 {why} *"), "1. e4 {-- d4 $1 why} *");
        assert_eq!(rewrite("1. -- e5 1-0"), "{-- e5} 1-0");
        assert_eq!(rewrite("1. e4 0000 2. d4 *"), "1. e4 {0000 d4} *");
        assert_eq!(
            rewrite("1. e4 e5 (1... Z0 2. d4 (2. Nf3 (2. c4)) d5) 2. Nf3 *"),
            "1. e4 e5 ({Z0 d4 (Nf3 (c4)) d5}) 2. Nf3 *"
        );
        let text = "1. e4 -- {why} 2. d4 *";
        let game = Reader::new(text.as_bytes()).keep(Keep::Moves).lenient().next_game();
        let game = game.expect("a game").expect("read");
        assert_eq!((game.main.plies.len(), game.main.plies[0].comments.len()), (1, 0));
    }

    #[test]
    fn a_variation_ends_before_an_illegal_move_and_a_main_line_is_broken() {
        assert_eq!(
            rewrite("1. e4 e5 (1... c5 2. Ke3 {x} Nc6) 2. Nf3 *"),
            "1. e4 e5 (1... c5 {Ke3 x Nc6}) 2. Nf3 *"
        );
        // A variation of nothing has no place.
        assert_eq!(rewrite("(1. d4) 1. e4 *"), "1. e4 *");
        let games = games("1. e4 e5 2. Ke3 * 1. d4 *");
        assert!(games[0].is_err() && games[1].is_ok(), "{games:?}");
    }

    #[test]
    fn signs_between_moves_are_stepped_over() {
        assert_eq!(rewrite("1. e4 += e5 +/- 2. Nf3 ± $999 ~ Nc6 -+ *"), "1. e4 e5 2. Nf3 Nc6 *");
        assert_eq!(rewrite("1. e4 e6 2. e5 d5 3. exd6 e.p. *"), "1. e4 e6 2. e5 d5 3. exd6 *");
        for sign in ["@", "\0", "\"", "&"] {
            assert!(games(&format!("1. e4 {sign} e5 *"))[0].is_err(), "{sign}");
        }
    }

    #[test]
    fn halves_are_draws() {
        for half in ["½-½", "½", "1/2"] {
            let games = games(&format!("1. e4 (1. d4 {half} d5) e5 {half}\n\n1. d4 *"));
            let results: Vec<_> = games.iter().map(|game| game.as_ref().unwrap().result).collect();
            assert_eq!(results, [GameResult::Draw, GameResult::Unknown], "{half}");
            let plies = games.iter().map(|game| game.as_ref().unwrap().main.plies.len());
            assert!(plies.eq([2, 1]), "{half}");
        }
        for (bytes, length) in [
            (&b"\xbd-\xbd"[..], 3),
            (b"\xbd-1", 1),
            (b"\xc2\xbd-\xc2\xbd-", 5),
            (b"-\xbd", 0),
            (b"", 0),
            (b"\xc2", 0),
        ] {
            assert_eq!(half(bytes), length, "{bytes:?}");
        }
    }

    #[test]
    fn games_that_were_mended_are_counted() {
        let text = "1. e4 * 1. g1f3 * 1. Nf3 += * 1. -- * 1. e4 (1. Ke2) * 1. Ke2 *";
        let mut reader = Reader::new(text.as_bytes()).lenient();
        let read = reader.by_ref().map(|game| game.is_ok()).collect::<Vec<_>>();
        assert_eq!(read, [true, true, true, true, true, false]);
        assert_eq!(reader.mended(), 3);
    }

    #[test]
    fn what_follows_a_null_move_is_not_longer_than_a_comment() {
        let long = format!("1. -- {}*", "Nf3 ".repeat(crate::pgn::MAX_COMMENT / 4 - 1));
        assert!(games(&long)[0].is_ok());
        let longer = format!("1. -- {}*", "Nf3 ".repeat(crate::pgn::MAX_COMMENT / 4));
        let reason = PgnReason::TooLong(crate::pgn::Part::Comment);
        assert_eq!(games(&longer)[0], Err(reason));
    }
}

//! Extended Position Description: a position without counters, and operations on it.
//!
//! One line each: four fields as in FEN, then operations, each an opcode with operands and a
//! semicolon after it. Test suites for engines use this format.

use std::fmt;
use std::str::FromStr;

use crate::fen::Letters;
use crate::{Faults, FenError, Move, Position, San, SanError, Setup, Variant};

/// The longest line that is read, in bytes.
///
/// ```
/// use hansu_chess::epd::{Epd, EpdError, MAX_LINE};
/// let line = " ".repeat(MAX_LINE + 1);
/// assert_eq!(line.parse::<Epd>(), Err(EpdError::TooLong));
/// ```
pub const MAX_LINE: usize = 4096;

/// A position with operations.
///
/// ```
/// use hansu_chess::Variant;
/// use hansu_chess::epd::Epd;
/// let line = "4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+ O-O-O; id \"a \\\"test\\\"\"; hmvc 7;";
/// let epd: Epd = line.parse()?;
/// assert_eq!(epd.text("id"), Some("a \"test\""));
/// let position = epd.position(Variant::Standard).unwrap();
/// assert_eq!(position.halfmoves(), 7);
/// assert_eq!(epd.moves("bm", &position).unwrap().len(), 2);
/// assert_eq!(epd.to_string(), line);
/// # Ok::<(), hansu_chess::epd::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position; its counters are not written, see [`Epd::position`].
    pub setup: Setup,
    operations: Vec<Operation>,
}

/// An operation: a command for a position, or a fact about it.
///
/// ```
/// use hansu_chess::epd::{Epd, Operand};
/// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - acd 12; noop;".parse()?;
/// let [depth, nothing] = epd.operations() else { panic!() };
/// assert_eq!((depth.opcode(), depth.operands()[0].text()), ("acd", "12"));
/// assert!(nothing.operands().is_empty());
/// # Ok::<(), hansu_chess::epd::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// An operand of an operation.
///
/// ```
/// use hansu_chess::epd::Operand;
/// assert_eq!(Operand::word("Nf3").unwrap().to_string(), "Nf3");
/// assert_eq!(Operand::quoted("two words").unwrap().to_string(), "\"two words\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    quoted: bool,
}

/// Why a line is not an EPD.
///
/// ```
/// use hansu_chess::FenError;
/// use hansu_chess::epd::{Epd, EpdError};
/// assert_eq!("8/8 w - -".parse::<Epd>(), Err(EpdError::Fen(FenError::Board)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// The position is malformed.
    Fen(FenError),
    /// An opcode is a letter and up to 14 letters, digits or `_`.
    Opcode,
    /// An operand is a word without quotes and semicolons, or a text in quotes on one line.
    Operand,
    /// A quote is not closed.
    UnterminatedQuote,
    /// An operation does not end with a semicolon.
    UnterminatedOperation,
    /// Two operations with the same opcode.
    Duplicate,
    /// The line is longer than [`MAX_LINE`].
    TooLong,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EpdError::Fen(error) => return write!(f, "{error}"),
            EpdError::Opcode => "an opcode must be a letter and up to 14 letters, digits or _",
            EpdError::Operand => "an operand must be a word or a text in quotes",
            EpdError::UnterminatedQuote => "a quote does not end",
            EpdError::UnterminatedOperation => "an operation must end with a semicolon",
            EpdError::Duplicate => "there are two operations with the same opcode",
            EpdError::TooLong => "the line is too long",
        })
    }
}

impl std::error::Error for EpdError {}

impl Operand {
    /// A word as it is: a move, a number, a square.
    ///
    /// # Errors
    ///
    /// [`EpdError::Operand`] when it must be quoted.
    ///
    /// ```
    /// use hansu_chess::epd::{EpdError, Operand};
    /// assert!(Operand::word("e4").is_ok());
    /// assert_eq!(Operand::word("two words"), Err(EpdError::Operand));
    /// ```
    pub fn word(text: &str) -> Result<Operand, EpdError> {
        let plain = |letter: char| {
            !letter.is_ascii_whitespace() && !letter.is_ascii_control() && !"\";".contains(letter)
        };
        if text.is_empty() || !text.chars().all(plain) {
            return Err(EpdError::Operand);
        }
        Ok(Operand { text: text.to_owned(), quoted: false })
    }

    /// A text in quotes.
    ///
    /// # Errors
    ///
    /// [`EpdError::Operand`] when there are control characters in it.
    ///
    /// ```
    /// use hansu_chess::epd::Operand;
    /// assert_eq!(Operand::quoted("say \"hi\"")?.to_string(), r#""say \"hi\"""#);
    /// assert!(Operand::quoted("two\nlines").is_err());
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn quoted(text: &str) -> Result<Operand, EpdError> {
        if text.chars().any(|letter| letter.is_ascii_control()) {
            return Err(EpdError::Operand);
        }
        Ok(Operand { text: text.to_owned(), quoted: true })
    }

    /// The text without quotes.
    ///
    /// ```
    /// use hansu_chess::epd::Operand;
    /// assert_eq!(Operand::quoted("x y")?.text(), "x y");
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.quoted {
            return f.write_str(&self.text);
        }
        let escaped = self.text.replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "\"{escaped}\"")
    }
}

impl Operation {
    /// An operation.
    ///
    /// # Errors
    ///
    /// [`EpdError::Opcode`] unless it is a letter and up to 14 letters, digits or `_`.
    ///
    /// ```
    /// use hansu_chess::epd::{Operand, Operation};
    /// let best = Operation::new("bm", vec![Operand::word("Nf3")?])?;
    /// assert_eq!(best.to_string(), "bm Nf3;");
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn new(opcode: &str, operands: Vec<Operand>) -> Result<Operation, EpdError> {
        let sound = opcode.len() <= 15
            && opcode.starts_with(|first: char| first.is_ascii_alphabetic())
            && opcode.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if sound {
            Ok(Operation { opcode: opcode.to_owned(), operands })
        } else {
            Err(EpdError::Opcode)
        }
    }

    /// The opcode.
    ///
    /// ```
    /// # use hansu_chess::epd::Operation;
    /// assert_eq!(Operation::new("noop", vec![])?.opcode(), "noop");
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands.
    ///
    /// ```
    /// # use hansu_chess::epd::Operation;
    /// assert!(Operation::new("noop", vec![])?.operands().is_empty());
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

impl Epd {
    /// A position without operations.
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// use hansu_chess::epd::Epd;
    /// let text = Epd::new(Setup::start()).to_string();
    /// assert_eq!(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    /// ```
    pub const fn new(setup: Setup) -> Epd {
        Epd { setup, operations: Vec::new() }
    }

    /// The operations in their order.
    ///
    /// ```
    /// # use hansu_chess::{Setup, epd::Epd};
    /// assert!(Epd::new(Setup::start()).operations().is_empty());
    /// ```
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Adds an operation.
    ///
    /// # Errors
    ///
    /// [`EpdError::Duplicate`] if there is one with this opcode.
    ///
    /// ```
    /// # use hansu_chess::{Setup, epd::{Epd, EpdError, Operation}};
    /// let mut epd = Epd::new(Setup::start());
    /// epd.add(Operation::new("noop", vec![])?)?;
    /// assert_eq!(epd.add(Operation::new("noop", vec![])?), Err(EpdError::Duplicate));
    /// # Ok::<(), EpdError>(())
    /// ```
    pub fn add(&mut self, operation: Operation) -> Result<(), EpdError> {
        if self.operation(&operation.opcode).is_some() {
            return Err(EpdError::Duplicate);
        }
        self.operations.push(operation);
        Ok(())
    }

    /// The operation with an opcode.
    ///
    /// ```
    /// # use hansu_chess::epd::Epd;
    /// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - acd 12;".parse()?;
    /// assert!(epd.operation("acd").is_some() && epd.operation("bm").is_none());
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of an operation.
    ///
    /// ```
    /// # use hansu_chess::epd::Epd;
    /// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - acd 12;".parse()?;
    /// assert_eq!(epd.text("acd"), Some("12"));
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(Operand::text)
    }

    /// The operands of an operation as moves: `bm` (best), `am` (to avoid). None if there is no
    /// such operation.
    ///
    /// # Errors
    ///
    /// The error of the first operand that is not a legal move.
    ///
    /// ```
    /// # use hansu_chess::{Position, epd::Epd};
    /// let epd: Epd = "4k3/8/8/8/8/8/8/R3K3 w Q - bm O-O-O Ra8+;".parse()?;
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    /// assert_eq!(epd.moves("bm", &position).unwrap().len(), 2);
    /// assert!(epd.moves("am", &position).unwrap().is_empty());
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn moves(&self, opcode: &str, position: &Position) -> Result<Vec<Move>, SanError> {
        let operands = self.operation(opcode).map_or(&[][..], Operation::operands);
        operands.iter().map(|operand| San::lenient(&operand.text)?.to_move(position)).collect()
    }

    /// The position, checked, with the counters that `hmvc` and `fmvn` give.
    ///
    /// # Errors
    ///
    /// All reasons why the position cannot be played.
    ///
    /// ```
    /// # use hansu_chess::{Variant, epd::Epd};
    /// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 40;".parse()?;
    /// assert!(epd.position(Variant::Standard).unwrap().fen().ends_with(" 3 40"));
    /// # Ok::<(), hansu_chess::epd::EpdError>(())
    /// ```
    pub fn position(&self, variant: Variant) -> Result<Position, Faults> {
        let counter = |opcode| self.text(opcode).and_then(|text| text.parse().ok());
        let mut setup = self.setup;
        setup.halfmoves = counter("hmvc").unwrap_or(setup.halfmoves);
        setup.fullmoves = counter("fmvn").unwrap_or(setup.fullmoves);
        setup.position(variant)
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(96);
        self.setup.write_four_fields(&mut text, Letters::XFen);
        f.write_str(&text)?;
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        if line.len() > MAX_LINE {
            return Err(EpdError::TooLong);
        }
        let mut rest = line;
        let mut field = || {
            let word;
            (word, rest) = split_word(rest, |letter| letter.is_ascii_whitespace());
            (!word.is_empty()).then_some(word)
        };
        let setup = Setup::from_four_fields(&mut std::iter::from_fn(&mut field));
        let mut epd = Epd::new(setup.map_err(EpdError::Fen)?);
        loop {
            rest = rest.trim_ascii_start();
            if rest.is_empty() {
                return Ok(epd);
            }
            let operation;
            (operation, rest) = read_operation(rest)?;
            epd.add(operation)?;
        }
    }
}

/// Splits off the next word.
fn split_word(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    let text = text.trim_ascii_start();
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

fn ends_word(letter: char) -> bool {
    letter.is_ascii_whitespace() || letter == ';' || letter == '"'
}

fn read_operation(text: &str) -> Result<(Operation, &str), EpdError> {
    let (opcode, mut rest) = split_word(text, ends_word);
    let mut operands = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        if let Some(rest) = rest.strip_prefix(';') {
            return Ok((Operation::new(opcode, operands)?, rest));
        }
        let operand;
        (operand, rest) = match rest.strip_prefix('"') {
            Some(inside) => read_quoted(inside)?,
            None => {
                let (word, rest) = split_word(rest, ends_word);
                if word.is_empty() {
                    return Err(EpdError::UnterminatedOperation);
                }
                (Operand::word(word)?, rest)
            }
        };
        operands.push(operand);
    }
}

/// Up to the quote that ends it; `\"` and `\\` stand for themselves without the backslash.
fn read_quoted(text: &str) -> Result<(Operand, &str), EpdError> {
    let mut plain = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((Operand::quoted(&plain)?, &text[at + 1..])),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => {
                plain.extend(letters.next().map(|(_, letter)| letter));
            }
            _ => plain.push(letter),
        }
    }
    Err(EpdError::UnterminatedQuote)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BARE: &str = "4k3/8/8/8/8/8/8/R3K3 w Q -";

    fn read(operations: &str) -> Result<Epd, EpdError> {
        format!("{BARE}{operations}").parse()
    }

    #[test]
    fn reads_and_writes_what_suites_contain() {
        for operations in [
            "",
            " bm Ra8+; id \"BK.01\";",
            " am O-O-O Kd2; c0 \"a \\\"comment\\\" with \\\\ and ; in it\";",
            " acn 12345; ce -32; dm 4; pv Ra8+ Ke7; noop;",
            " id \"\";",
            " id \"체스\";",
        ] {
            assert_eq!(read(operations).unwrap().to_string(), format!("{BARE}{operations}"));
        }
        let two = read(" bm Ra8+; id \"x\";").unwrap();
        let opcodes: Vec<&str> = two.operations().iter().map(Operation::opcode).collect();
        assert_eq!(opcodes, ["bm", "id"]);
        // A backslash escapes quotes and itself, nothing else.
        assert_eq!(read(" id \"C:\\temp\";").unwrap().text("id"), Some("C:\\temp"));
        assert_eq!(
            read("\t bm  Ra8+ ;id\"x\" ;\r\n").unwrap().to_string(),
            format!("{BARE} bm Ra8+; id \"x\";")
        );
    }

    #[test]
    fn every_error_has_words_of_its_own() {
        let all = [
            EpdError::Fen(FenError::Board),
            EpdError::Opcode,
            EpdError::Operand,
            EpdError::UnterminatedQuote,
            EpdError::UnterminatedOperation,
            EpdError::Duplicate,
            EpdError::TooLong,
        ];
        let words: std::collections::HashSet<String> =
            all.iter().map(ToString::to_string).filter(|words| !words.is_empty()).collect();
        assert_eq!(words.len(), all.len());
    }

    #[test]
    fn refuses_with_a_reason() {
        for (operations, error) in [
            (" bm Ra8+", EpdError::UnterminatedOperation),
            (" bm", EpdError::UnterminatedOperation),
            (" id \"x;", EpdError::UnterminatedQuote),
            (" id \"x\\\";", EpdError::UnterminatedQuote),
            (" 1bm Ra8+;", EpdError::Opcode),
            (" ;", EpdError::Opcode),
            (" \"x\";", EpdError::Opcode),
            (" bm Ra8+; bm Ra7;", EpdError::Duplicate),
            (" abcdefghijklmnop x;", EpdError::Opcode),
            (" id \"a\nb\";", EpdError::Operand),
            (" 0 1", EpdError::UnterminatedOperation),
        ] {
            assert_eq!(read(operations), Err(error), "{operations}");
        }
        assert_eq!("".parse::<Epd>(), Err(EpdError::Fen(FenError::Board)));
        assert_eq!("8/8/8/8/8/8/8/8 w -".parse::<Epd>(), Err(EpdError::Fen(FenError::EnPassant)));
    }

    #[test]
    fn words_are_plain_and_keep_their_text() {
        for text in ["e4", "-32", "a\\b", "체스"] {
            assert_eq!(Operand::word(text).map(|word| word.text().to_owned()), Ok(text.to_owned()));
        }
        for text in ["", " ", "a b", "a\tb", "a\u{1}", "a\"", "\"", "a;", ";"] {
            assert_eq!(Operand::word(text), Err(EpdError::Operand), "{text:?}");
        }
        let epd = read(" bm Ra8+; id \"x y\";").unwrap();
        let listed: Vec<&str> = epd.operations.iter().map(Operation::opcode).collect();
        assert_eq!(listed, ["bm", "id"]);
    }

    #[test]
    fn a_line_has_a_longest_length() {
        let line = |length: usize| {
            let (before, after) = (format!("{BARE} c0 \""), "\";");
            let filling = "x".repeat(length - before.len() - after.len());
            format!("{before}{filling}{after}").parse::<Epd>()
        };
        assert!(line(MAX_LINE).is_ok());
        assert_eq!(line(MAX_LINE + 1), Err(EpdError::TooLong));
        assert_eq!(line(MAX_LINE + 2), Err(EpdError::TooLong));
    }

    #[test]
    fn counters_that_are_no_numbers_are_left_alone() {
        let position = read(" hmvc x; fmvn;").unwrap().position(Variant::Standard).unwrap();
        assert_eq!((position.halfmoves(), position.fullmoves()), (0, 1));
    }

    #[test]
    fn moves_are_judged() {
        let epd = read(" bm Ra8+; am Ra9 Kd2;").unwrap();
        let position = epd.position(Variant::Standard).unwrap();
        assert_eq!(epd.moves("bm", &position).map(|moves| moves.len()), Ok(1));
        assert_eq!(epd.moves("am", &position), Err(SanError::Syntax));
    }

    fn operand() -> impl Strategy<Value = Operand> {
        prop_oneof![
            "[!#-:<-~]{1,8}".prop_map(|text| Operand::word(&text).unwrap()),
            "\\PC{0,20}".prop_map(|text| Operand::quoted(&text).unwrap()),
            "[\"\\\\; ]{0,6}".prop_map(|text| Operand::quoted(&text).unwrap()),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_written_is_read_again(
            operations in proptest::collection::vec(
                ("[a-zA-Z][a-zA-Z0-9_]{0,14}", proptest::collection::vec(operand(), 0..4)), 0..6),
        ) {
            let mut epd = Epd::new(Setup::start());
            for (opcode, operands) in operations {
                let operation = Operation::new(&opcode, operands).unwrap();
                let known = epd.operation(&opcode).is_some();
                prop_assert_eq!(epd.add(operation).is_err(), known);
            }
            let text = epd.to_string();
            prop_assert_eq!(text.parse::<Epd>(), Ok(epd), "{}", text);
        }

        #[test]
        fn nothing_breaks_it(text in "[ -~\n]{0,40}|\\PC{0,40}") {
            for line in [text.clone(), format!("{BARE} {text}")] {
                if let Ok(epd) = line.parse::<Epd>() {
                    prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd));
                }
            }
        }
    }
}

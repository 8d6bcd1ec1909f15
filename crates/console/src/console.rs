//! The conversation: what is said to each line. Reads and writes nothing but the log.

use hansu_chess::{Color, Role, Square, UciMove};
use hansu_play::{Command, Phase, Reason, Refusal, State};
use hansu_words::Lang;

use crate::line::{Line, Slip, Wish, promotion, wish};
use crate::sentences::{self, Sentence};
use crate::table::{News, Stopped, Table};
use crate::{BoardStyle, record};

/// How the game is shown; the default is the seed's.
///
/// ```
/// use hansu_console::{BoardStyle, Options};
/// assert_eq!(Options::default().board, BoardStyle::Plain);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The language.
    pub lang: Lang,
    /// The board.
    pub board: BoardStyle,
    /// Whether a refused move is explained.
    pub why: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { lang: Lang::Ko, board: BoardStyle::Plain, why: false }
    }
}

/// What is said to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// For standard output.
    pub text: String,
    /// For standard error: what went wrong outside the game. Empty nearly always.
    pub notice: String,
    /// What comes after it.
    pub next: Next,
}

/// What comes after something was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another line is waited for.
    Line,
    /// The game is over.
    End,
}

/// Chooses the moves of one side; none when it cannot.
pub type Chooser = Box<dyn FnMut(&State) -> Option<UciMove>>;

/// A game in a terminal.
pub struct Console {
    table: Table,
    options: Options,
    /// The pawn's move that waits for a piece.
    promoting: Option<(Square, Square)>,
    answered: bool,
    /// A side that does not type its moves.
    opponent: Option<(Color, Chooser)>,
    /// The opponent's move was not kept; it is tried again after the next line.
    stuck: bool,
}

impl Console {
    /// A conversation about a game.
    ///
    /// ```
    /// use hansu_console::{Console, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// assert!(Console::new(table, Options::default()).opening().contains("8\n8\n8\n8\n"));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn new(table: Table, options: Options) -> Console {
        Console { table, options, promoting: None, answered: false, opponent: None, stuck: false }
    }

    /// The same, with a side that chooses its moves by itself.
    #[must_use]
    pub fn against(self, side: Color, chooser: Chooser) -> Console {
        Console { opponent: Some((side, chooser)), ..self }
    }

    /// What the opponent plays, if it is its turn. Call it whenever everything said has been shown.
    ///
    /// ```
    /// use hansu_chess::Color;
    /// use hansu_console::{Console, Line, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Computer"), None)?;
    /// let chooser = Box::new(|_: &_| "e7e5".parse().ok());
    /// let mut console = Console::new(table, Options::default()).against(Color::Black, chooser);
    /// assert!(console.reply().is_none());
    /// console.answer(Line::Text("e2 e4"));
    /// assert!(console.reply().is_some_and(|said| said.text.contains("4p3")));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn reply(&mut self) -> Option<Said> {
        let state = self.table.state();
        let (side, chooser) = self.opponent.as_mut()?;
        if self.stuck || state.ending().is_some() || state.turn() != *side {
            return None;
        }
        let uci = chooser(state)?;
        let mut said = Said { text: String::new(), notice: String::new(), next: Next::Line };
        match self.table.act(&Command::Move { uci }) {
            Ok(()) => self.show_position(&mut said),
            Err(stopped) => {
                self.stuck = true;
                self.stopped(stopped, &mut said);
            }
        }
        Some(said)
    }

    /// The game that is talked about.
    ///
    /// ```
    /// use hansu_console::{Console, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// assert_eq!(Console::new(table, Options::default()).table().state().plies(), 0);
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What is said before the first line of a new game.
    ///
    /// ```
    /// use hansu_console::{Console, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// let text = Console::new(table, Options::default()).opening();
    /// assert!(text.ends_with("RNBQKBNR\n백 기물을 움직여주세요.\n"));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn opening(&self) -> String {
        let mut text = String::new();
        for sentence in Sentence::OPENING {
            self.say(&mut text, sentence);
        }
        self.show_board(&mut text);
        self.prompt(&mut text);
        text
    }

    /// What is said before the first line of a game that goes on: which game, and how it stands.
    ///
    /// ```
    /// use hansu_console::{Console, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// let text = Console::new(table, Options::default()).resuming();
    /// assert!(text.starts_with("이어서 두는 게임: "));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn resuming(&self) -> String {
        let id = self.table.id();
        let id = id.as_ref().map_or("-", |id| id.as_str());
        let names = self.table.state().start().map(|start| &start.names);
        let (white, black) =
            names.map_or(("?", "?"), |names| (names.white.as_str(), names.black.as_str()));
        let mut text = sentences::resuming(id, white, black, self.options.lang);
        text.push('\n');
        self.show_board(&mut text);
        self.prompt(&mut text);
        text
    }

    /// What is said to a line.
    ///
    /// ```
    /// use hansu_console::{Console, Line, Next, Options, Table};
    /// use hansu_play::Start;
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// let mut console = Console::new(table, Options::default());
    /// let said = console.answer(Line::Text("기권"));
    /// assert_eq!(said.text, "흑 승리!!!\n게임을 종료합니다.\n\n");
    /// assert_eq!(said.next, Next::End);
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn answer(&mut self, line: Line<'_>) -> Said {
        let line = self.without_bom(line);
        self.stuck = false;
        let mut said = Said { text: String::new(), notice: String::new(), next: Next::Line };
        if self.table.state().ending().is_some() {
            said.next = Next::End;
            return said;
        }
        // A line that was typed for a board of yesterday means nothing. If the log cannot be read
        // now, writing will say so.
        if self.table.catch_up() == Ok(News::Some) {
            self.gone_on(&mut said);
            return said;
        }
        match self.promoting.take() {
            Some((from, to)) => self.promote(from, to, line, &mut said),
            None => self.hear(line, &mut said),
        }
        said
    }

    fn without_bom<'a>(&mut self, line: Line<'a>) -> Line<'a> {
        match line {
            Line::Text(text) if !std::mem::replace(&mut self.answered, true) => {
                Line::Text(text.strip_prefix('\u{feff}').unwrap_or(text))
            }
            other => other,
        }
    }

    fn hear(&mut self, line: Line<'_>, said: &mut Said) {
        match wish(line, self.options.lang) {
            Err(Slip::Format) => self.complain(Sentence::BadFormat, said),
            Err(Slip::Tile) => self.complain(Sentence::BadTile, said),
            Ok(Wish::Record) => {
                self.show_record(&mut said.text);
                self.prompt(&mut said.text);
            }
            Ok(Wish::Resign) => match self.table.act(&Command::Resign) {
                Ok(()) => self.close(said),
                Err(stopped) => self.stopped(stopped, said),
            },
            Ok(Wish::Move { from, to }) => self.play(from, to, None, said),
        }
    }

    fn promote(&mut self, from: Square, to: Square, line: Line<'_>, said: &mut Said) {
        match promotion(line, self.options.lang) {
            Some(role) => self.play(from, to, Some(role), said),
            None => {
                self.say(&mut said.text, Sentence::BadPromotion);
                self.ask_promotion(from, to, said);
            }
        }
    }

    fn ask_promotion(&mut self, from: Square, to: Square, said: &mut Said) {
        self.promoting = Some((from, to));
        self.say(&mut said.text, Sentence::Promotion);
    }

    fn play(&mut self, from: Square, to: Square, promotion: Option<Role>, said: &mut Said) {
        let uci = UciMove { from, to, promotion };
        match self.table.act(&Command::Move { uci }) {
            Ok(()) => self.show_position(said),
            Err(Stopped::Refused(Refusal::Move(hansu_chess::Refusal::PromotionMissing {
                ..
            }))) => self.ask_promotion(from, to, said),
            Err(stopped) => self.stopped(stopped, said),
        }
    }

    fn stopped(&self, stopped: Stopped, said: &mut Said) {
        match stopped {
            Stopped::Refused(refusal) => {
                self.say(&mut said.text, Sentence::CannotMove);
                if let (true, Refusal::Move(why)) = (self.options.why, refusal) {
                    let position = self.table.state().game().position();
                    said.text.push_str(&self.options.lang.refusal(why, position));
                    said.text.push('\n');
                }
                self.prompt(&mut said.text);
            }
            Stopped::GoneOn => self.gone_on_now(said),
            Stopped::NotKept(error) => {
                let lang = self.options.lang;
                said.notice = not_kept(&hansu_journal::log_error(error, lang), lang);
                self.prompt(&mut said.text);
            }
        }
    }

    fn gone_on(&mut self, said: &mut Said) {
        self.promoting = None;
        self.gone_on_now(said);
    }

    fn gone_on_now(&self, said: &mut Said) {
        said.notice = Sentence::GoneOn.text(self.options.lang).to_owned();
        self.show_position(said);
    }

    fn complain(&self, sentence: Sentence, said: &mut Said) {
        self.say(&mut said.text, sentence);
        self.prompt(&mut said.text);
    }

    /// The board, and then either the next prompt or the end.
    fn show_position(&self, said: &mut Said) {
        self.show_board(&mut said.text);
        if self.table.state().ending().is_some() {
            self.close(said);
        } else {
            self.prompt(&mut said.text);
        }
    }

    /// Who has won, and the record.
    fn close(&self, said: &mut Said) {
        let Phase::Ended(ending) = self.table.state().phase() else {
            return self.prompt(&mut said.text);
        };
        if let Some(winner) = ending.winner {
            said.text.push_str(sentences::winner(winner, self.options.lang));
            said.text.push('\n');
        }
        // An aborted game, which only another program can make of this one, is not drawn.
        let drawn = ending.winner.is_none() && ending.reason != Reason::Abort;
        self.say(&mut said.text, if drawn { Sentence::Drawn } else { Sentence::Over });
        self.show_record(&mut said.text);
        said.next = Next::End;
    }

    fn say(&self, text: &mut String, sentence: Sentence) {
        text.push_str(sentence.text(self.options.lang));
        text.push('\n');
    }

    fn show_board(&self, text: &mut String) {
        self.options.board.draw(self.table.state().game(), text);
    }

    fn show_record(&self, text: &mut String) {
        let state = self.table.state();
        text.push_str(&record(state.game(), state.ending()));
        text.push('\n');
    }

    fn prompt(&self, text: &mut String) {
        text.push_str(sentences::prompt(self.table.state().turn(), self.options.lang));
        text.push('\n');
    }
}

/// A move that the log did not take has not been played.
fn not_kept(why: &str, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("기록하지 못해서 두지 않은 것으로 할게요. {why}"),
        Lang::En => format!("This could not be saved, so it was not played. {why}"),
    }
}

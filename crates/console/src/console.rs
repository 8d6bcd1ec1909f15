//! The line game: which text answers each typed line. It reads and writes nothing but the log.

use hansu_chess::{Color, Role, Square, UciMove};
use hansu_play::{Command, Phase, Reason, Refusal, State};
use hansu_words::Lang;

use crate::input_line::{InputLine, LineCommand, LineError, parse_line, parse_promotion};
use crate::kept_game::{CommandError, KeptGame, News};
use crate::sentences::{self, Sentence};
use crate::{BoardStyle, record};

/// How the game is shown. The default is the terminal game as the mission fixes it: Korean, plain
/// board, no reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The language of all texts.
    pub lang: Lang,
    /// How the board is drawn.
    pub board: BoardStyle,
    /// True if the reason for a refused move is shown.
    pub why: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { lang: Lang::Ko, board: BoardStyle::Plain, why: false }
    }
}

/// The answer to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// For standard output.
    pub text: String,
    /// For standard error: a failure outside the game. Usually empty.
    pub notice: String,
    /// What follows.
    pub next: Next,
}

/// What follows after a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The next line is read.
    Continue,
    /// The game is over.
    End,
}

/// Chooses the commands of one side: a move or its resignation; None if it has no move.
pub type Chooser = Box<dyn FnMut(&State) -> Option<Command>>;

/// A game that is played line by line.
pub struct Console {
    game: KeptGame,
    options: Options,
    /// A pawn's move to the last rank that waits for the choice of a piece.
    promoting: Option<(Square, Square)>,
    has_read_line: bool,
    /// The side whose moves are chosen by the program.
    opponent: Option<(Color, Chooser)>,
    /// True if the opponent's move could not be saved. It is tried again after the next line.
    is_opponent_stuck: bool,
}

impl Console {
    /// Creates the line game for a game.
    ///
    /// ```
    /// use hansu_console::{Console, KeptGame, Options};
    /// use hansu_play::Start;
    /// let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
    /// assert!(Console::new(game, Options::default()).greeting().contains("8\n8\n8\n8\n"));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn new(game: KeptGame, options: Options) -> Console {
        Console {
            game,
            options,
            promoting: None,
            has_read_line: false,
            opponent: None,
            is_opponent_stuck: false,
        }
    }

    /// Lets `chooser` play one side.
    #[must_use]
    pub fn against(self, side: Color, chooser: Chooser) -> Console {
        Console { opponent: Some((side, chooser)), ..self }
    }

    /// Plays the opponent's move if it is its turn. Call it after each text was shown.
    ///
    /// ```
    /// use hansu_chess::Color;
    /// use hansu_console::{Console, InputLine, KeptGame, Options};
    /// use hansu_play::{Command, Start};
    /// let game = KeptGame::start(&Start::between("Mina", "Computer"), None)?;
    /// let chooser = Box::new(|_: &_| Some(Command::Move { uci: "e7e5".parse().ok()? }));
    /// let mut console = Console::new(game, Options::default()).against(Color::Black, chooser);
    /// assert!(console.play_opponent().is_none());
    /// console.answer(InputLine::Text("e2 e4"));
    /// assert!(console.play_opponent().is_some_and(|reply| reply.text.contains("4p3")));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn play_opponent(&mut self) -> Option<Reply> {
        let state = self.game.state();
        let (side, chooser) = self.opponent.as_mut()?;
        if self.is_opponent_stuck || state.ending().is_some() || state.turn() != *side {
            return None;
        }
        let command = chooser(state)?;
        let mut reply = Reply { text: String::new(), notice: String::new(), next: Next::Continue };
        match self.game.act(&command) {
            Ok(()) if command == Command::Resign => self.close(&mut reply),
            Ok(()) => self.show_position(&mut reply),
            Err(error) => {
                self.is_opponent_stuck = true;
                self.show_error(error, &mut reply);
            }
        }
        Some(reply)
    }

    /// The game that is played.
    pub fn game(&self) -> &KeptGame {
        &self.game
    }

    /// The text before the first line of a new game.
    ///
    /// ```
    /// use hansu_console::{Console, KeptGame, Options};
    /// use hansu_play::Start;
    /// let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
    /// let text = Console::new(game, Options::default()).greeting();
    /// assert!(text.ends_with("RNBQKBNR\n백 기물을 움직여주세요.\n"));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn greeting(&self) -> String {
        let mut text = String::new();
        for sentence in Sentence::OPENING {
            self.say(&mut text, sentence);
        }
        self.show_board(&mut text);
        self.prompt(&mut text);
        text
    }

    /// The text before the first line of a resumed game: its id, names and board.
    ///
    /// ```
    /// use hansu_console::{Console, KeptGame, Options};
    /// use hansu_play::Start;
    /// let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
    /// let text = Console::new(game, Options::default()).resume_greeting();
    /// assert!(text.starts_with("이어서 두는 게임: "));
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn resume_greeting(&self) -> String {
        let id = self.game.id();
        let id = id.as_ref().map_or("-", |id| id.as_str());
        let names = self.game.state().start().map(|start| &start.names);
        let (white, black) =
            names.map_or(("?", "?"), |names| (names.white.as_str(), names.black.as_str()));
        let mut text = sentences::resuming(id, white, black, self.options.lang);
        text.push('\n');
        self.show_board(&mut text);
        self.prompt(&mut text);
        text
    }

    /// Answers a line.
    ///
    /// ```
    /// use hansu_console::{Console, InputLine, KeptGame, Next, Options};
    /// use hansu_play::Start;
    /// let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
    /// let mut console = Console::new(game, Options::default());
    /// let reply = console.answer(InputLine::Text("기권"));
    /// assert_eq!(reply.text, "흑 승리!!!\n게임을 종료합니다.\n\n");
    /// assert_eq!(reply.next, Next::End);
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn answer(&mut self, line: InputLine<'_>) -> Reply {
        let line = self.without_bom(line);
        self.is_opponent_stuck = false;
        let mut reply = Reply { text: String::new(), notice: String::new(), next: Next::Continue };
        if self.game.state().ending().is_some() {
            reply.next = Next::End;
            return reply;
        }
        // If another program has changed the game, the line was typed for an old board and is
        // dropped. An error of reading is ignored: writing will report it.
        if self.game.catch_up() == Ok(News::Some) {
            self.show_external_change(&mut reply);
            return reply;
        }
        match self.promoting.take() {
            Some((from, to)) => self.promote(from, to, line, &mut reply),
            None => self.run_line(line, &mut reply),
        }
        reply
    }

    fn without_bom<'a>(&mut self, line: InputLine<'a>) -> InputLine<'a> {
        match line {
            InputLine::Text(text) if !std::mem::replace(&mut self.has_read_line, true) => {
                InputLine::Text(text.strip_prefix('\u{feff}').unwrap_or(text))
            }
            other => other,
        }
    }

    fn run_line(&mut self, line: InputLine<'_>, reply: &mut Reply) {
        match parse_line(line, self.options.lang) {
            Err(LineError::Format) => self.complain(Sentence::BadFormat, reply),
            Err(LineError::Tile) => self.complain(Sentence::BadTile, reply),
            Ok(LineCommand::Record) => {
                self.show_record(&mut reply.text);
                self.prompt(&mut reply.text);
            }
            Ok(LineCommand::Resign) => match self.game.act(&Command::Resign) {
                Ok(()) => self.close(reply),
                Err(error) => self.show_error(error, reply),
            },
            Ok(LineCommand::Move { from, to }) => self.play(from, to, None, reply),
        }
    }

    fn promote(&mut self, from: Square, to: Square, line: InputLine<'_>, reply: &mut Reply) {
        match parse_promotion(line, self.options.lang) {
            Some(role) => self.play(from, to, Some(role), reply),
            None => {
                self.say(&mut reply.text, Sentence::BadPromotion);
                self.ask_promotion(from, to, reply);
            }
        }
    }

    fn ask_promotion(&mut self, from: Square, to: Square, reply: &mut Reply) {
        self.promoting = Some((from, to));
        self.say(&mut reply.text, Sentence::Promotion);
    }

    fn play(&mut self, from: Square, to: Square, promotion: Option<Role>, reply: &mut Reply) {
        let uci = UciMove { from, to, promotion };
        match self.game.act(&Command::Move { uci }) {
            Ok(()) => self.show_position(reply),
            Err(CommandError::Refused(Refusal::Move(hansu_chess::Refusal::PromotionMissing {
                ..
            }))) => self.ask_promotion(from, to, reply),
            Err(error) => self.show_error(error, reply),
        }
    }

    fn show_error(&self, error: CommandError, reply: &mut Reply) {
        match error {
            CommandError::Refused(refusal) => {
                self.say(&mut reply.text, Sentence::CannotMove);
                if let (true, Refusal::Move(why)) = (self.options.why, refusal) {
                    let position = self.game.state().game().position();
                    reply.text.push_str(&self.options.lang.refusal(why, position));
                    reply.text.push('\n');
                }
                self.prompt(&mut reply.text);
            }
            CommandError::ChangedElsewhere => self.write_external_change(reply),
            CommandError::NotSaved(error) => {
                let lang = self.options.lang;
                reply.notice = not_saved_notice(&hansu_journal::log_error(error, lang), lang);
                self.prompt(&mut reply.text);
            }
        }
    }

    fn show_external_change(&mut self, reply: &mut Reply) {
        self.promoting = None;
        self.write_external_change(reply);
    }

    fn write_external_change(&self, reply: &mut Reply) {
        reply.notice = Sentence::ChangedElsewhere.text(self.options.lang).to_owned();
        self.show_position(reply);
    }

    fn complain(&self, sentence: Sentence, reply: &mut Reply) {
        self.say(&mut reply.text, sentence);
        self.prompt(&mut reply.text);
    }

    /// Shows the board, and then either the next prompt or the end.
    fn show_position(&self, reply: &mut Reply) {
        self.show_board(&mut reply.text);
        if self.game.state().ending().is_some() {
            self.close(reply);
        } else {
            self.prompt(&mut reply.text);
        }
    }

    /// Shows the winner and the record.
    fn close(&self, reply: &mut Reply) {
        let Phase::Ended(ending) = self.game.state().phase() else {
            return self.prompt(&mut reply.text);
        };
        if let Some(winner) = ending.winner {
            reply.text.push_str(sentences::winner(winner, self.options.lang));
            reply.text.push('\n');
        }
        // An aborted game is not a draw. Only another program can abort this game.
        let drawn = ending.winner.is_none() && ending.reason != Reason::Abort;
        self.say(&mut reply.text, if drawn { Sentence::Drawn } else { Sentence::Over });
        self.show_record(&mut reply.text);
        reply.next = Next::End;
    }

    fn say(&self, text: &mut String, sentence: Sentence) {
        text.push_str(sentence.text(self.options.lang));
        text.push('\n');
    }

    fn show_board(&self, text: &mut String) {
        self.options.board.draw(self.game.state().game(), text);
    }

    fn show_record(&self, text: &mut String) {
        let state = self.game.state();
        text.push_str(&record(state.game(), state.ending()));
        text.push('\n');
    }

    fn prompt(&self, text: &mut String) {
        text.push_str(sentences::prompt(self.game.state().turn(), self.options.lang));
        text.push('\n');
    }
}

/// The notice for a command that the log did not accept, so that it has no effect.
fn not_saved_notice(why: &str, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("기록하지 못해서 두지 않은 것으로 할게요. {why}"),
        Lang::En => format!("This could not be saved, so it was not played. {why}"),
    }
}

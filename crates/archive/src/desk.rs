//! Requests in, answers out.

use hansu_annals::openings;
use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_module::Answers;
use hansu_protocol::{Opening, Refusal};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};

use crate::counting;
use crate::reading::{self, Reading};
use crate::shapes::{Answer, Played, Request};

/// Answers about the games of a browser.
#[derive(Debug, Default)]
pub struct Archive {
    reading: Option<Reading>,
}

impl Archive {
    /// Answers a request, both as JSON. Whatever the text, there is an answer.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.hear(request),
            Err(_) => refused(ServerRefusal::BadRequest),
        };
        // All map keys are strings, so serialisation cannot fail.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn hear(&mut self, request: Request) -> Answer {
        match request {
            Request::Read { text, lang, known } => {
                self.reading = None;
                match Reading::new(text, view::lang(lang), &known) {
                    Some(reading) => {
                        self.reading = Some(reading);
                        Answer::default()
                    }
                    None => refused(ServerRefusal::TooLarge),
                }
            }
            Request::Next { games } => match &mut self.reading {
                Some(reading) => {
                    let batch = reading.next(games);
                    if batch.done {
                        self.reading = None;
                    }
                    Answer { batch: Some(batch), ..Answer::default() }
                }
                None => refused(ServerRefusal::BadRequest),
            },
            Request::Look { id, pgn } => match reading::look(&id, &pgn) {
                Some(looked) => Answer { looked: Some(Box::new(looked)), ..Answer::default() },
                None => refused(ServerRefusal::NotFound),
            },
            Request::Name { games } => {
                let names = games.iter().map(|game| opening(game).map(named)).collect();
                Answer { openings: Some(names), ..Answer::default() }
            }
            Request::Count { games, player } => {
                let counted = counting::count(&games, player.as_deref());
                Answer { counted: Some(Box::new(counted)), ..Answer::default() }
            }
        }
    }
}

impl Answers for Archive {
    fn answer(&mut self, request: &str) -> String {
        Archive::answer(self, request)
    }
}

/// The opening of a game. A move that cannot be played ends it.
pub(crate) fn opening(played: &Played) -> Option<openings::Opening> {
    if played.variant == "chess960" {
        return None;
    }
    let start = match &played.start_fen {
        Some(fen) => Position::from_fen(fen, Variant::Standard).ok()?,
        None => Position::start(),
    };
    if start != Position::start() {
        return None;
    }
    let mut game = Game::from_position(start, Variant::Standard);
    for text in played.moves.split_ascii_whitespace().take(openings::REACH) {
        let Ok(UciMove { from, to, promotion }) = text.parse() else { break };
        if game.play(from, to, promotion).is_err() {
            break;
        }
    }
    openings::classify(&game)
}

/// An opening as it is told.
pub(crate) fn named(opening: openings::Opening) -> Opening {
    Opening { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
}

fn refused(why: ServerRefusal) -> Answer {
    let refusal: Refusal = view::server_refusal(why, Lang::En);
    Answer { error: Some(refusal), ..Answer::default() }
}

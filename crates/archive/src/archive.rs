//! Requests in, responses out.

use hansu_annals::openings;
use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_module::Respond;
use hansu_protocol::{Opening, Refusal};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};

use crate::counting;
use crate::messages::{GameMoves, Request, Response};
use crate::reading::{self, Reading};

/// Answers requests about the games of a browser.
#[derive(Debug, Default)]
pub struct Archive {
    /// The PGN text that is being read.
    reading: Option<Reading>,
}

impl Archive {
    /// Answers a request; both are JSON. Malformed requests get a response with an error.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.handle(request),
            Err(_) => refusal(ServerRefusal::BadRequest),
        };
        // All map keys are strings, so serialisation cannot fail.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn handle(&mut self, request: Request) -> Response {
        match request {
            Request::Read { text, lang, known } => {
                self.reading = None;
                match Reading::new(text, view::lang(lang), &known) {
                    Some(reading) => {
                        self.reading = Some(reading);
                        Response::default()
                    }
                    None => refusal(ServerRefusal::TooLarge),
                }
            }
            Request::Next { games } => match &mut self.reading {
                Some(reading) => {
                    let batch = reading.next(games);
                    if batch.done {
                        self.reading = None;
                    }
                    Response { batch: Some(batch), ..Response::default() }
                }
                None => refusal(ServerRefusal::BadRequest),
            },
            Request::Look { id, pgn } => match reading::read_game(&id, &pgn) {
                Some(game) => Response { looked: Some(Box::new(game)), ..Response::default() },
                None => refusal(ServerRefusal::NotFound),
            },
            Request::Name { games } => {
                let names = games.iter().map(|game| opening(game).map(to_wire)).collect();
                Response { openings: Some(names), ..Response::default() }
            }
            Request::Count { games, player } => {
                let counted = counting::count(&games, player.as_deref());
                Response { counted: Some(Box::new(counted)), ..Response::default() }
            }
        }
    }
}

impl Respond for Archive {
    fn answer(&mut self, request: &str) -> String {
        Archive::answer(self, request)
    }
}

/// The opening of a game, by its moves up to the first that is not legal.
pub(crate) fn opening(played: &GameMoves) -> Option<openings::Opening> {
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

/// An opening in the type of the protocol.
pub(crate) fn to_wire(opening: openings::Opening) -> Opening {
    Opening { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
}

fn refusal(why: ServerRefusal) -> Response {
    let error: Refusal = view::server_refusal(why, Lang::En);
    Response { error: Some(error), ..Response::default() }
}

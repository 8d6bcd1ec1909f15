//! The game of a worker: requests in, answers out.

use hansu_chess::{Position, Variant};
use hansu_play::{Actor, Entry, Millis, Phase, State};
use hansu_protocol::{
    self as wire, CLOSE_MALFORMED, CLOSE_VERSION, ClientMessage, Language, NewGame, Opponent,
    ServerMessage,
};
use hansu_view::{self as view, Heard, Host, HostError};
use hansu_words::{Lang, ServerRefusal};

use crate::free;
use crate::row;
use crate::shapes::{Answer, Kept, Looked, Request};

/// One game at a time, and whatever is asked about others.
#[derive(Debug, Default)]
pub struct Desk {
    game: Option<Table>,
    /// What there was before what came last; the next request shows that this was kept.
    before: Option<Option<Table>>,
}

/// The game that is played.
#[derive(Clone, Debug)]
struct Table {
    id: String,
    host: Host,
}

impl Desk {
    /// Answers a request, both as JSON. Whatever the text, there is an answer.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.hear(request),
            Err(_) => {
                self.before = None;
                refused(view::server_refusal(ServerRefusal::BadRequest, Lang::En))
            }
        };
        // All map keys are strings, so serialisation cannot fail.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn hear(&mut self, request: Request) -> Answer {
        let before = match request {
            Request::Start { .. } | Request::Hear { .. } | Request::Tick { .. } => {
                Some(self.game.clone())
            }
            _ => None,
        };
        let undone = std::mem::replace(&mut self.before, before);
        match request {
            Request::Start { id, game, lang, draw, now } => {
                self.start(id, game, view::lang(lang), draw, now)
            }
            Request::Resume { id, entries } => self.resume(id, &entries),
            Request::Hear { text, now } => self.said(&text, now),
            Request::Tick { now } => match &mut self.game {
                Some(table) => table.tick(now),
                None => nothing_here(),
            },
            Request::Undo {} => {
                if let Some(before) = undone {
                    self.game = before;
                }
                Answer { wake: self.game.as_ref().and_then(Table::wake), ..Answer::default() }
            }
            Request::Look { id, entries, date } => look(&id, &entries, date.as_deref()),
            Request::Moves { fen } => match position(&fen, Language::En) {
                Ok(position) => {
                    let moves = view::legal_moves(&position, Variant::Standard);
                    Answer { moves: Some(moves), ..Answer::default() }
                }
                Err(why) => refused(why),
            },
            Request::Free(question) => match free::answer(question) {
                Ok(answer) => Answer { free: Some(answer), ..Answer::default() },
                Err(why) => refused(why),
            },
            Request::Why { fen, r#move, lang } => match (position(&fen, lang), r#move.parse()) {
                (Ok(position), Ok(step)) => {
                    let why = view::why_not(&position, Variant::Standard, step, view::lang(lang));
                    Answer { why: Some(why), ..Answer::default() }
                }
                (Err(why), _) => refused(why),
                (_, Err(_)) => {
                    refused(view::server_refusal(ServerRefusal::BadMove, view::lang(lang)))
                }
            },
        }
    }

    fn start(&mut self, id: String, new: NewGame, lang: Lang, draw: u32, now: Millis) -> Answer {
        // The others need a server, or an engine that is not here yet.
        if new.with != Opponent::Local {
            return refused(view::server_refusal(ServerRefusal::BadRequest, lang));
        }
        match Host::start(&id, view::on_one_screen(new, lang, u64::from(draw)), Actor::Both, now) {
            Ok((host, entries)) => {
                let table = self.game.insert(Table { id, host });
                table.answer(&Heard { entries, messages: Vec::new() }, None)
            }
            Err(why) => refused(view::refusal(why, &State::default(), lang)),
        }
    }

    fn resume(&mut self, id: String, kept: &[Kept]) -> Answer {
        let host = read(kept).and_then(|entries| Host::resume(&id, &entries, Actor::Both).ok());
        let Some(mut host) = host.filter(|host| host.state().start().is_some()) else {
            return unreadable();
        };
        for entry in kept {
            if let Some(client) = &entry.client {
                host.remember(client, entry.seq);
            }
        }
        let table = self.game.insert(Table { id, host });
        table.answer(&Heard::default(), None)
    }

    fn said(&mut self, text: &str, now: Millis) -> Answer {
        let Some(table) = &mut self.game else { return nothing_here() };
        match serde_json::from_str(text) {
            Ok(message) if text.len() <= wire::LONGEST_MESSAGE => table.hear(message, now),
            _ => Answer { close: Some(CLOSE_MALFORMED), ..Answer::default() },
        }
    }
}

impl Table {
    fn hear(&mut self, message: ClientMessage, now: Millis) -> Answer {
        let client = match &message {
            ClientMessage::Command { id, .. } => Some(id.clone()),
            // A worker has one client, and each connection is a new one.
            ClientMessage::Hello { .. } => {
                self.host.part();
                None
            }
            _ => None,
        };
        // A rematch on one screen is a new game, which the page begins.
        match self.host.hear(message, now, || None) {
            Ok(heard) => self.answer(&heard, client),
            Err(error) => {
                let close = match error {
                    HostError::Version => CLOSE_VERSION,
                    HostError::Malformed => CLOSE_MALFORMED,
                };
                Answer { close: Some(close), ..Answer::default() }
            }
        }
    }

    fn tick(&mut self, now: Millis) -> Answer {
        let heard = self.host.tick(now);
        self.answer(&heard, None)
    }

    /// When a tick may have something to do.
    fn wake(&self) -> Option<Millis> {
        let state = self.host.state();
        if state.phase() != Phase::Playing {
            return None;
        }
        let over = state.game().outcome().map(|_| Millis::ZERO);
        over.or_else(|| state.deadline().map(|(_, at)| at))
    }

    fn answer(&self, heard: &Heard, client: Option<String>) -> Answer {
        let state = self.host.state();
        let mut answer = Answer {
            entries: heard.entries.iter().map(kept).collect(),
            messages: heard.messages.iter().map(text).collect(),
            wake: self.wake(),
            ..Answer::default()
        };
        if let Some(last) = answer.entries.last_mut() {
            // A flag may have come first, and the command have been refused after it.
            let ack = |id: &String| ServerMessage::Ack { id: id.clone(), seq: last.seq };
            last.client = client.filter(|id| heard.messages.contains(&ack(id)));
            answer = described(answer, &self.id, state);
        }
        answer
    }
}

fn look(id: &str, kept: &[Kept], date: Option<&str>) -> Answer {
    let state = read(kept).and_then(|entries| State::replay(&entries).ok());
    let Some((state, start)) =
        state.and_then(|state| Some((state.clone(), state.start()?.clone())))
    else {
        return unreadable();
    };
    let mut shown = view::snapshot(&state, &start, Vec::new(), wire::Visibility::Private);
    shown.plies = view::plies(&state, 0).collect();
    let mut answer = described(Answer::default(), id, &state);
    let pgn = answer.row.as_ref().map(|row| row::pgn(row, &state, date)).unwrap_or_default();
    answer.looked = Some(Looked { state: shown, pgn });
    answer
}

fn described(answer: Answer, id: &str, state: &State) -> Answer {
    Answer {
        row: Some(row::row(id, state)),
        started: state.started_at(),
        ended: state.ended_at(),
        ..answer
    }
}

fn kept(entry: &Entry) -> Kept {
    Kept {
        seq: entry.seq,
        // The text that `hansu-journal` gives to the log.
        body: serde_json::to_string(entry).unwrap_or_default(),
        client: None,
    }
}

fn read(kept: &[Kept]) -> Option<Vec<Entry>> {
    kept.iter().map(|entry| serde_json::from_str(&entry.body).ok()).collect()
}

fn text(message: &ServerMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

fn position(fen: &str, lang: Language) -> Result<Position, wire::Refusal> {
    view::position(Some(fen), Variant::Standard, view::lang(lang))
}

fn refused(why: wire::Refusal) -> Answer {
    Answer { error: Some(why), ..Answer::default() }
}

fn nothing_here() -> Answer {
    refused(view::server_refusal(ServerRefusal::NoSuchGame, Lang::En))
}

fn unreadable() -> Answer {
    refused(wire::Refusal {
        code: "unreadable".to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: "The entries of this game do not follow from each other.".to_owned(),
    })
}

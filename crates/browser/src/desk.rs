//! The game of a worker: requests in, answers out.

use hansu_chess::{Position, Variant};
use hansu_computer::{Question, Reply, Task as Asked};
use hansu_play::{Actor, Command, Entry, Millis, Offer, Phase, Start, State, Task};
use hansu_protocol::{
    self as wire, CLOSE_MALFORMED, CLOSE_VERSION, ClientMessage, Language, NewGame, Opponent,
    ServerMessage,
};
use hansu_view::{self as view, Heard, Host, HostError};
use hansu_words::{Lang, ServerRefusal};

use crate::free;
use crate::row;
use crate::shapes::{Answer, Kept, Looked, Request};

/// A page that is loaded anew this fast costs the computer nothing that matters.
const BRIEF: Millis = Millis(1_000);

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
    /// It was just read from what was kept: until then nothing could be played in it.
    away: bool,
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
            Request::Start { .. }
            | Request::Again { .. }
            | Request::Hear { .. }
            | Request::Tick { .. }
            | Request::Thought { .. } => Some(self.game.clone()),
            _ => None,
        };
        let undone = std::mem::replace(&mut self.before, before);
        match request {
            Request::Start { id, game, lang, draw, now } => {
                self.start(id, game, view::lang(lang), draw, now)
            }
            Request::Again { id, previous, entries, now } => {
                self.again(id, &previous, &entries, now)
            }
            Request::Resume { id, entries } => self.resume(id, &entries),
            Request::Hear { text, now } => self.said(&text, now),
            Request::Tick { now } => match &mut self.game {
                Some(table) => table.tick(now),
                None => nothing_here(),
            },
            Request::Thought { seq, reply, now } => match &mut self.game {
                Some(table) => table.thought(seq, &reply, now),
                None => nothing_here(),
            },
            Request::Undo {} => {
                if let Some(before) = undone {
                    self.game = before;
                }
                self.game.as_ref().map_or_else(Answer::default, Table::waiting)
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
        let draw = u64::from(draw);
        let start = match new.with {
            Opponent::Local => Some(view::on_one_screen(new, lang, draw)),
            Opponent::Computer => view::against_computer(new, lang, draw),
            Opponent::Friend => None,
        };
        let Some(start) = start else {
            return refused(view::server_refusal(ServerRefusal::BadRequest, lang));
        };
        self.begin(id, start, lang, now)
    }

    /// The next game of a series, as a server begins it.
    fn again(&mut self, id: String, previous: &str, kept: &[Kept], now: Millis) -> Answer {
        let state = read(kept).and_then(|entries| State::replay(&entries).ok());
        let start = state.and_then(|s| Some(s.start()?.rematch(previous, s.ending()?)));
        match start {
            Some(start) => self.begin(id, start, Lang::En, now),
            None => unreadable(),
        }
    }

    fn begin(&mut self, id: String, start: Start, lang: Lang, now: Millis) -> Answer {
        let people = start.people();
        match Host::start(&id, start, people, now) {
            Ok((host, entries)) => {
                let table = self.game.insert(Table { id, host, away: false });
                table.answer(&Heard { entries, messages: Vec::new() })
            }
            Err(why) => refused(view::refusal(why, &State::default(), lang)),
        }
    }

    fn resume(&mut self, id: String, kept: &[Kept]) -> Answer {
        let host = read(kept).and_then(|entries| {
            let people = State::replay(&entries).ok()?.start().map(Start::people)?;
            Host::resume(&id, &entries, people).ok()
        });
        let Some(mut host) = host else { return unreadable() };
        for entry in kept {
            if let Some(client) = &entry.client {
                host.remember(client, entry.seq);
            }
        }
        let table = self.game.insert(Table { id, host, away: true });
        table.answer(&Heard::default())
    }

    fn said(&mut self, text: &str, now: Millis) -> Answer {
        let Some(table) = &mut self.game else { return nothing_here() };
        match serde_json::from_str(text) {
            Ok(message) if text.len() <= wire::LONGEST_MESSAGE => table.hear(message, now),
            _ => Answer { close: Some(CLOSE_MALFORMED), ..Answer::default() },
        }
    }
}

impl hansu_module::Answers for Desk {
    fn answer(&mut self, request: &str) -> String {
        Desk::answer(self, request)
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
            Ok(mut heard) => {
                let own = heard.entries.len();
                let granted = self.granted(now);
                heard.entries.extend(granted.entries);
                heard.messages.extend(granted.messages);
                self.answer_to(&heard, client, own)
            }
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
        let mut heard = self.credited(now);
        let due = self.host.tick(now);
        heard.entries.extend(due.entries);
        heard.messages.extend(due.messages);
        self.answer(&heard)
    }

    /// While the page was closed the computer could not play: its clock did not run meanwhile.
    fn credited(&mut self, now: Millis) -> Heard {
        let state = self.host.state();
        let time = now.minus(state.at());
        let waited = matches!(state.task(), Some((_, Task::Move))) && state.clocks().is_some();
        if !std::mem::take(&mut self.away) || !waited || time < BRIEF {
            return Heard::default();
        }
        let credit = Command::Credit { time };
        self.host.act_as(Actor::System, &credit, now).unwrap_or_default()
    }

    /// Does what the computer wants, unless the game has gone on without it.
    fn thought(&mut self, seq: u64, reply: &Reply, now: Millis) -> Answer {
        let state = self.host.state();
        let heard = state.task().filter(|_| state.seq() == seq).and_then(|(computer, task)| {
            let command = said_by(task, reply)?;
            self.host.act_as(Actor::seat(computer.side), &command, now).ok()
        });
        self.answer(&heard.unwrap_or_default())
    }

    /// What the computer has to think about. A takeback or a pause it grants at once, and the page
    /// begins another game by itself.
    fn question(&self) -> Option<Question> {
        let state = self.host.state();
        let (computer, task) = state.task()?;
        let task = match task {
            Task::Move => Asked::Move,
            Task::Answer(Offer::Draw) => Asked::Draw,
            Task::Answer(_) => return None,
        };
        let game = state.game();
        Some(Question {
            seq: state.seq(),
            level: computer.level,
            variant: view::kind(game.variant()),
            fen: state.start().and_then(|start| start.fen.clone()),
            moves: game.moves().iter().map(|s| s.uci(game.variant()).to_string()).collect(),
            game: self.id.clone(),
            task,
            left: state.clocks().map(|clocks| clocks[computer.side].0),
        })
    }

    /// The computer agrees to whatever costs it no thought.
    fn granted(&mut self, now: Millis) -> Heard {
        let Some((computer, Task::Answer(what))) = self.host.state().task() else {
            return Heard::default();
        };
        if matches!(what, Offer::Draw | Offer::Rematch) {
            return Heard::default();
        }
        let command = Command::Accept { what, next: None };
        self.host.act_as(Actor::seat(computer.side), &command, now).unwrap_or_default()
    }

    /// What there is to do by itself, and when.
    fn waiting(&self) -> Answer {
        Answer { wake: self.wake(), think: self.question(), ..Answer::default() }
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

    fn answer(&self, heard: &Heard) -> Answer {
        self.answer_to(heard, None, 0)
    }

    /// The first `own` entries are what a client's command has led to.
    fn answer_to(&self, heard: &Heard, client: Option<String>, own: usize) -> Answer {
        let mut answer = Answer {
            entries: heard.entries.iter().map(kept).collect(),
            messages: heard.messages.iter().map(text).collect(),
            ..self.waiting()
        };
        if let Some(last) = answer.entries[..own].last_mut() {
            // A flag may have come first, and the command have been refused after it.
            let ack = |id: &String| ServerMessage::Ack { id: id.clone(), seq: last.seq };
            last.client = client.filter(|id| heard.messages.contains(&ack(id)));
        }
        if answer.entries.is_empty() {
            return answer;
        }
        described(answer, &self.id, self.host.state())
    }
}

/// A reply as a command; nothing when it does not answer what was asked.
fn said_by(task: Task, reply: &Reply) -> Option<Command> {
    match task {
        Task::Move => Some(Command::Move { uci: reply.uci.as_ref()?.parse().ok()? }),
        Task::Answer(what) => Some(match reply.takes? {
            true => Command::Accept { what, next: None },
            false => Command::Decline { what },
        }),
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

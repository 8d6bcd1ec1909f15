//! The game of a worker of the page: requests in, responses out.

use hansu_chess::{Position, Variant};
use hansu_computer::{Question, Reply, Task as Asked};
use hansu_play::{Actor, Command, Entry, Millis, Offer, Phase, Start, State, Task};
use hansu_protocol::{
    self as wire, CLOSE_MALFORMED, CLOSE_VERSION, ClientMessage, Language, NewGame, Opponent,
    ServerMessage,
};
use hansu_view::{self as view, Host, HostError, HostOutput};
use hansu_words::{Lang, ServerRefusal};

use crate::free;
use crate::messages::{Request, Response, StoredEntry, StoredGame};
use crate::row;

/// The clock of the computer gets no credit when the page was closed for less than this.
const BRIEF: Millis = Millis(1_000);

/// Holds at most one running game, and answers questions about stored games and positions.
#[derive(Debug, Default)]
pub struct GameWorker {
    game: Option<HeldGame>,
    /// The game before the last request, for `Request::Undo`; `None` when there is nothing to undo.
    /// Any other request confirms that the entries of the last one were stored.
    before: Option<Option<HeldGame>>,
}

/// The running game.
#[derive(Clone, Debug)]
struct HeldGame {
    id: String,
    host: Host,
    /// True from a resume until the first tick: the page was closed, and no move could be made.
    away: bool,
}

impl GameWorker {
    /// Answers a request; both are JSON. Malformed requests get a response with an error.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.handle(request),
            Err(_) => {
                self.before = None;
                refusal(view::server_refusal(ServerRefusal::BadRequest, Lang::En))
            }
        };
        // All map keys are strings, so serialisation cannot fail.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn handle(&mut self, request: Request) -> Response {
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
            Request::Hear { text, now } => self.receive(&text, now),
            Request::Tick { now } => match &mut self.game {
                Some(game) => game.tick(now),
                None => no_game(),
            },
            Request::Thought { seq, reply, now } => match &mut self.game {
                Some(game) => game.apply_reply(seq, &reply, now),
                None => no_game(),
            },
            Request::Undo {} => {
                if let Some(before) = undone {
                    self.game = before;
                }
                self.game.as_ref().map_or_else(Response::default, HeldGame::pending)
            }
            Request::Look { id, entries, date } => read_game(&id, &entries, date.as_deref()),
            Request::Moves { fen } => match parse_position(&fen, Language::En) {
                Ok(position) => {
                    let moves = view::legal_moves(&position, Variant::Standard);
                    Response { moves: Some(moves), ..Response::default() }
                }
                Err(why) => refusal(why),
            },
            Request::Free(question) => match free::answer(question) {
                Ok(answer) => Response { free: Some(answer), ..Response::default() },
                Err(why) => refusal(why),
            },
            Request::Why { fen, r#move, lang } => {
                match (parse_position(&fen, lang), r#move.parse()) {
                    (Ok(position), Ok(step)) => {
                        let why =
                            view::why_not(&position, Variant::Standard, step, view::lang(lang));
                        Response { why: Some(why), ..Response::default() }
                    }
                    (Err(why), _) => refusal(why),
                    (_, Err(_)) => {
                        refusal(view::server_refusal(ServerRefusal::BadMove, view::lang(lang)))
                    }
                }
            }
        }
    }

    fn start(&mut self, id: String, new: NewGame, lang: Lang, draw: u32, now: Millis) -> Response {
        let draw = u64::from(draw);
        let start = match new.with {
            Opponent::Local => Some(view::on_one_screen(new, lang, draw)),
            Opponent::Computer => view::against_computer(new, lang, draw),
            Opponent::Friend => None,
        };
        let Some(start) = start else {
            return refusal(view::server_refusal(ServerRefusal::BadRequest, lang));
        };
        self.begin(id, start, lang, now)
    }

    /// Begins the next game of a series, like a rematch on a server.
    fn again(
        &mut self,
        id: String,
        previous: &str,
        stored: &[StoredEntry],
        now: Millis,
    ) -> Response {
        let state = read_entries(stored).and_then(|entries| State::replay(&entries).ok());
        let start = state.and_then(|s| Some(s.start()?.rematch(previous, s.ending()?)));
        match start {
            Some(start) => self.begin(id, start, Lang::En, now),
            None => unreadable(),
        }
    }

    fn begin(&mut self, id: String, start: Start, lang: Lang, now: Millis) -> Response {
        let people = start.people();
        match Host::start(&id, start, people, now) {
            Ok((host, entries)) => {
                let game = self.game.insert(HeldGame { id, host, away: false });
                game.answer(&HostOutput { entries, messages: Vec::new() })
            }
            Err(why) => refusal(view::refusal(why, &State::default(), lang)),
        }
    }

    fn resume(&mut self, id: String, stored: &[StoredEntry]) -> Response {
        let host = read_entries(stored).and_then(|entries| {
            let people = State::replay(&entries).ok()?.start().map(Start::people)?;
            Host::resume(&id, &entries, people).ok()
        });
        let Some(mut host) = host else { return unreadable() };
        for entry in stored {
            if let Some(client) = &entry.client {
                host.remember(client, entry.seq);
            }
        }
        let game = self.game.insert(HeldGame { id, host, away: true });
        game.answer(&HostOutput::default())
    }

    fn receive(&mut self, text: &str, now: Millis) -> Response {
        let Some(game) = &mut self.game else { return no_game() };
        match serde_json::from_str(text) {
            Ok(message) if text.len() <= wire::LONGEST_MESSAGE => game.hear(message, now),
            _ => Response { close: Some(CLOSE_MALFORMED), ..Response::default() },
        }
    }
}

impl hansu_module::Respond for GameWorker {
    fn answer(&mut self, request: &str) -> String {
        GameWorker::answer(self, request)
    }
}

impl HeldGame {
    fn hear(&mut self, message: ClientMessage, now: Millis) -> Response {
        let client = match &message {
            ClientMessage::Command { id, .. } => Some(id.clone()),
            // A worker has one client: a new hello replaces its connection.
            ClientMessage::Hello { .. } => {
                self.host.disconnect();
                None
            }
            _ => None,
        };
        // The page begins a rematch on one screen itself, as a new game.
        match self.host.hear(message, now, || None) {
            Ok(mut output) => {
                let own = output.entries.len();
                let granted = self.grant(now);
                output.entries.extend(granted.entries);
                output.messages.extend(granted.messages);
                self.answer_to(&output, client, own)
            }
            Err(error) => {
                let close = match error {
                    HostError::Version => CLOSE_VERSION,
                    HostError::Malformed => CLOSE_MALFORMED,
                };
                Response { close: Some(close), ..Response::default() }
            }
        }
    }

    fn tick(&mut self, now: Millis) -> Response {
        let mut output = self.credit(now);
        let due = self.host.tick(now);
        output.entries.extend(due.entries);
        output.messages.extend(due.messages);
        self.answer(&output)
    }

    /// Credits the computer's clock with the time during which the page was closed, since the
    /// computer could not think then.
    fn credit(&mut self, now: Millis) -> HostOutput {
        let state = self.host.state();
        let time = now.minus(state.at());
        let waited = matches!(state.task(), Some((_, Task::Move))) && state.clocks().is_some();
        if !std::mem::take(&mut self.away) || !waited || time < BRIEF {
            return HostOutput::default();
        }
        let credit = Command::Credit { time };
        self.host.act_as(Actor::System, &credit, now).unwrap_or_default()
    }

    /// Applies a reply of the computer, unless the game has other events since the question.
    fn apply_reply(&mut self, seq: u64, reply: &Reply, now: Millis) -> Response {
        let state = self.host.state();
        let output = state.task().filter(|_| state.seq() == seq).and_then(|(computer, task)| {
            let command = command_of(task, reply)?;
            self.host.act_as(Actor::seat(computer.side), &command, now).ok()
        });
        self.answer(&output.unwrap_or_default())
    }

    /// The question for the computer. `None` also for offers it needs no thought for: a takeback or
    /// an adjournment is granted at once, and the page begins a rematch itself.
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
            resigns: computer.resigns,
        })
    }

    /// The computer accepts offers that need no thought: all but draws and rematches.
    fn grant(&mut self, now: Millis) -> HostOutput {
        let Some((computer, Task::Answer(what))) = self.host.state().task() else {
            return HostOutput::default();
        };
        if matches!(what, Offer::Draw | Offer::Rematch) {
            return HostOutput::default();
        }
        let command = Command::Accept { what, next: None };
        self.host.act_as(Actor::seat(computer.side), &command, now).unwrap_or_default()
    }

    /// A response with the next wake-up time and the question for the computer.
    fn pending(&self) -> Response {
        Response { wake: self.wake(), think: self.question(), ..Response::default() }
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

    fn answer(&self, output: &HostOutput) -> Response {
        self.answer_to(output, None, 0)
    }

    /// The first `own` entries follow from the client's command with the key `client`.
    fn answer_to(&self, output: &HostOutput, client: Option<String>, own: usize) -> Response {
        let mut answer = Response {
            entries: output.entries.iter().map(to_stored).collect(),
            messages: output.messages.iter().map(to_text).collect(),
            ..self.pending()
        };
        if let Some(last) = answer.entries[..own].last_mut() {
            // The command may have been refused because a flag fell first; then there is no ack.
            let ack = |id: &String| ServerMessage::Ack { id: id.clone(), seq: last.seq };
            last.client = client.filter(|id| output.messages.contains(&ack(id)));
        }
        if answer.entries.is_empty() {
            return answer;
        }
        with_row(answer, &self.id, self.host.state())
    }
}

/// Converts a reply to a command; `None` when it does not fit the task.
fn command_of(task: Task, reply: &Reply) -> Option<Command> {
    match task {
        Task::Move if reply.resigns => Some(Command::Resign),
        Task::Move => Some(Command::Move { uci: reply.uci.as_ref()?.parse().ok()? }),
        Task::Answer(what) => Some(match reply.takes? {
            true => Command::Accept { what, next: None },
            false => Command::Decline { what },
        }),
    }
}

/// A stored game, for `Request::Look`.
fn read_game(id: &str, stored: &[StoredEntry], date: Option<&str>) -> Response {
    let state = read_entries(stored).and_then(|entries| State::replay(&entries).ok());
    let Some((state, start)) =
        state.and_then(|state| Some((state.clone(), state.start()?.clone())))
    else {
        return unreadable();
    };
    let mut snapshot = view::snapshot(&state, &start, Vec::new(), wire::Visibility::Private);
    snapshot.plies = view::plies(&state, 0).collect();
    let mut answer = with_row(Response::default(), id, &state);
    let pgn = answer.row.as_ref().map(|row| row::pgn(row, &state, date)).unwrap_or_default();
    answer.looked = Some(StoredGame { state: snapshot, pgn });
    answer
}

/// Adds the row and the times of a game.
fn with_row(answer: Response, id: &str, state: &State) -> Response {
    Response {
        row: Some(row::row(id, state)),
        started: state.started_at(),
        ended: state.ended_at(),
        ..answer
    }
}

fn to_stored(entry: &Entry) -> StoredEntry {
    StoredEntry {
        seq: entry.seq,
        // The same text as `hansu-journal` writes into the log.
        body: serde_json::to_string(entry).unwrap_or_default(),
        client: None,
    }
}

fn read_entries(stored: &[StoredEntry]) -> Option<Vec<Entry>> {
    stored.iter().map(|entry| serde_json::from_str(&entry.body).ok()).collect()
}

fn to_text(message: &ServerMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

fn parse_position(fen: &str, lang: Language) -> Result<Position, wire::Refusal> {
    view::position(Some(fen), Variant::Standard, view::lang(lang))
}

fn refusal(why: wire::Refusal) -> Response {
    Response { error: Some(why), ..Response::default() }
}

fn no_game() -> Response {
    refusal(view::server_refusal(ServerRefusal::NoSuchGame, Lang::En))
}

fn unreadable() -> Response {
    refusal(wire::Refusal {
        code: "unreadable".to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: "The entries of this game do not follow from each other.".to_owned(),
    })
}

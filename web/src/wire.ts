// Made from crates/protocol by `make wire`. Do not edit: change the Rust types.

export const VERSION = 1;

/** Why a game has ended. */
export type Reason = "checkmate" | "resignation" | "stalemate" | "dead_position" | "locked_pawns" | "fivefold_repetition" | "seventy_five_moves" | "threefold_repetition" | "fifty_moves" | "agreement" | "timeout" | "timeout_draw" | "abandonment" | "abort";

// Milliseconds: a length of time, or a moment counted from wherever the caller counts from
// (the server counts from 1970, so that moments mean the same on every node).
export type Millis = number;

// One value for White, one for Black.
export type Sides<T> = { 
/**
 * White's.
 */
white: T, 
/**
 * Black's.
 */
black: T, };

// Who gives a command. Proving it (cookie, token, keyboard) is the caller's work; what follows
// from it is decided here.
export type Actor = "white" | "black" | "both" | "system" | "spectator";

// What one side can offer to the other.
export type Offer = "draw" | "takeback" | "adjournment" | "resumption" | "rematch";

// What a player claims when the opponent has left.
export type Claimed = "win" | "draw";

// Where a game is played.
export type Source = "terminal" | "local" | "online" | "computer" | "imported";

// What those who watch may do.
export type Spectators = "silent" | "chat";

// What a move gives to the clock of the player who makes it.
export type Bonus = "none" | { "increment": Millis } | { "bronstein": Millis } | { "delay": Millis };

// A part of a game with its own time.
export type Stage = { 
/**
 * How many moves each side makes in this stage; all the rest when missing.
 */
moves?: number | null, 
/**
 * What the clock gets at the beginning of the stage.
 */
time: Millis, 
/**
 * What every move gives.
 */
bonus: Bonus, };

// How much time the players have.
export type TimeControl = { "kind": "unlimited" } | { "kind": "clock", 
/**
 * One to [`MAX_STAGES`](TimeControl::MAX_STAGES) stages.
 */
stages: Array<Stage>, } | { "kind": "odds", 
/**
 * White's stages, as those of `Clock`.
 */
white: Array<Stage>, 
/**
 * Black's.
 */
black: Array<Stage>, } | { "kind": "correspondence", 
/**
 * One to [`MAX_DAYS`](TimeControl::MAX_DAYS) days.
 */
days: number, };

// How a series of rematches stands before a game.
export type Series = { 
/**
 * The id of the game before.
 */
previous: string, 
/**
 * How many games have been played.
 */
games: number, 
/**
 * What the players have, in half points, by the colours of this game.
 */
score: Sides<number>, };

// The computer at one side of a game.
export type Computer = { 
/**
 * Its side.
 */
side: "white" | "black", 
/**
 * Its strength, from 1 to 10.
 */
level: number, };

// Everything that is fixed before the first move.
export type Start = { 
/**
 * Who plays.
 */
names: Sides<string>, 
/**
 * Standard chess or Chess960.
 */
variant: "standard" | "chess960", 
/**
 * Where the game starts when not from the usual position.
 */
fen?: string | null, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * Where the game is played.
 */
source: Source, 
/**
 * Whether spectators may chat.
 */
spectators: Spectators, 
/**
 * The games between the same players before this one.
 */
series?: Series | null, 
/**
 * The side that the computer plays, and how strong.
 */
computer?: Computer | null, };

// How a game has ended.
export type Ending = { 
/**
 * Who won; nobody in a draw.
 */
winner: "white" | "black" | "none", 
/**
 * Why.
 */
reason: Reason, };

// Something that has happened in a game.
export type Event = { "type": "started" } & Start | { "type": "moved", 
/**
 * The move.
 */
uci: string, 
/**
 * When the mover's clock stopped. The other clock starts at the entry's `at`.
 */
received: Millis, 
/**
 * How much of the thinking time was lag and was not charged.
 */
lag?: Millis, 
/**
 * The clocks after the move.
 */
clocks?: Sides<Millis> | null, } | { "type": "offered", 
/**
 * What.
 */
what: Offer, 
/**
 * Which side.
 */
by: "white" | "black", } | { "type": "declined", 
/**
 * What.
 */
what: Offer, 
/**
 * Which side.
 */
by: "white" | "black", } | { "type": "taken_back", 
/**
 * How many, counting both sides' moves: one or two.
 */
plies: number, 
/**
 * The clocks, as they were before the moves.
 */
clocks?: Sides<Millis> | null, } | { "type": "adjourned", 
/**
 * The clocks.
 */
clocks?: Sides<Millis> | null, } | { "type": "resumed" } | { "type": "left", 
/**
 * Who.
 */
side: "white" | "black", } | { "type": "returned", 
/**
 * Who.
 */
side: "white" | "black", } | { "type": "credited", 
/**
 * How much.
 */
time: Millis, } | { "type": "time_given", 
/**
 * Who got it.
 */
to: "white" | "black", 
/**
 * How much.
 */
time: Millis, } | { "type": "chatted", 
/**
 * From where.
 */
from: Actor, 
/**
 * A spectator's name.
 */
name?: string | null, 
/**
 * What.
 */
text: string, } | { "type": "rematch_agreed", 
/**
 * The id of the next game.
 */
next: string, } | { "type": "ended", 
/**
 * The clocks at the end.
 */
clocks?: Sides<Millis> | null, 
/**
 * Who won; nobody in a draw.
 */
winner: "white" | "black" | "none", 
/**
 * Why.
 */
reason: Reason, };

// An entry as it is written, for TypeScript and OpenAPI.
export type Entry = { 
/**
 * The version of the event's shape.
 */
v: number, 
/**
 * Its place.
 */
seq: number, 
/**
 * When.
 */
at: Millis, } & ({ "type": "started" } & Start | { "type": "moved", 
/**
 * The move.
 */
uci: string, 
/**
 * When the mover's clock stopped. The other clock starts at the entry's `at`.
 */
received: Millis, 
/**
 * How much of the thinking time was lag and was not charged.
 */
lag?: Millis, 
/**
 * The clocks after the move.
 */
clocks?: Sides<Millis> | null, } | { "type": "offered", 
/**
 * What.
 */
what: Offer, 
/**
 * Which side.
 */
by: "white" | "black", } | { "type": "declined", 
/**
 * What.
 */
what: Offer, 
/**
 * Which side.
 */
by: "white" | "black", } | { "type": "taken_back", 
/**
 * How many, counting both sides' moves: one or two.
 */
plies: number, 
/**
 * The clocks, as they were before the moves.
 */
clocks?: Sides<Millis> | null, } | { "type": "adjourned", 
/**
 * The clocks.
 */
clocks?: Sides<Millis> | null, } | { "type": "resumed" } | { "type": "left", 
/**
 * Who.
 */
side: "white" | "black", } | { "type": "returned", 
/**
 * Who.
 */
side: "white" | "black", } | { "type": "credited", 
/**
 * How much.
 */
time: Millis, } | { "type": "time_given", 
/**
 * Who got it.
 */
to: "white" | "black", 
/**
 * How much.
 */
time: Millis, } | { "type": "chatted", 
/**
 * From where.
 */
from: Actor, 
/**
 * A spectator's name.
 */
name?: string | null, 
/**
 * What.
 */
text: string, } | { "type": "rematch_agreed", 
/**
 * The id of the next game.
 */
next: string, } | { "type": "ended", 
/**
 * The clocks at the end.
 */
clocks?: Sides<Millis> | null, 
/**
 * Who won; nobody in a draw.
 */
winner: "white" | "black" | "none", 
/**
 * Why.
 */
reason: Reason, });

// The language of sentences.
export type Language = "ko" | "en";

// What a client can ask of a game.
export type Wish = { "type": "move", 
/**
 * As UCI writes it: `e2e4`, `e7e8q`.
 */
uci: string, } | { "type": "resign" } | { "type": "offer", 
/**
 * What.
 */
what: Offer, } | { "type": "accept", 
/**
 * To what.
 */
what: Offer, } | { "type": "decline", 
/**
 * Which.
 */
what: Offer, } | { "type": "claim_draw", 
/**
 * With the move that leads to it.
 */
with?: string | null, } | { "type": "claim_absence", 
/**
 * A win or a draw.
 */
result: Claimed, } | { "type": "abort" } | { "type": "give_time", 
/**
 * Who gets them; on one screen either side may.
 */
to: Turn, } | { "type": "chat", 
/**
 * What.
 */
text: string, 
/**
 * A spectator's name.
 */
name?: string | null, };

// What a client says at a game.
export type ClientMessage = { "type": "hello", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The number of the last event the client knows; 0 for none.
 */
seq: number, 
/**
 * The language of sentences.
 */
lang: Language, } | { "type": "command", 
/**
 * A name the client gives; a resend under the same name is done once.
 */
id: string, 
/**
 * What.
 */
command: Wish, } | { "type": "sync", 
/**
 * The last event the client has.
 */
seq: number, } | { "type": "why", 
/**
 * The move, as UCI writes it.
 */
uci: string, };

// Where a client sits.
export type Place = "white" | "black" | "both";

// A side.
export type Turn = "white" | "black";

// Why something is not done.
export type Refusal = { 
/**
 * A short name for programs; it never changes.
 */
code: string, 
/**
 * The squares it is about.
 */
squares?: Array<string>, 
/**
 * Where the pieces stand that prove it.
 */
by?: Array<string>, 
/**
 * A sentence in the client's language.
 */
text: string, };

// How a board looks.
export type Board = { 
/**
 * The position.
 */
fen: string, 
/**
 * The square of the king that is in check.
 */
check?: string | null, };

// A clock that runs: it shows `left` until `from`, and less and less afterwards.
export type Ticking = { 
/**
 * Whose.
 */
side: Turn, 
/**
 * What it shows.
 */
left: Millis, 
/**
 * When it starts to count down, in the server's time; never for a first move, which is free.
 */
from?: Millis | null, 
/**
 * When the game is over if nothing happens.
 */
until: Millis, };

// What is special about a move.
export type Special = "castling_left" | "castling_right" | "en_passant" | "promotion";

// Where the side to move may go.
export type Moves = { 
/**
 * From each square, the squares a piece may go to, one after the other: `{"e2":"e3e4"}`. A
 * king that castles goes two squares aside; in Chess960 onto its rook.
 */
targets: { [key in string]: string }, 
/**
 * What is special about a move, by its two squares: `{"e1g1":"castling_right"}`.
 */
special?: { [key in string]: Special }, 
/**
 * Whether a draw may be claimed: `threefold_repetition` or `fifty_moves`.
 */
claim?: string | null, };

// An event with what a board shows after it.
export type Happened = { 
/**
 * The event.
 */
entry: Entry, 
/**
 * After a move: how it is written.
 */
san?: string | null, 
/**
 * When the board has changed: how it looks.
 */
board?: Board | null, 
/**
 * The clock that runs now.
 */
ticking?: Ticking | null, };

// Where a game stands.
export type Phase = "waiting" | "playing" | "adjourned" | "ended";

// A move that was played.
export type Ply = { 
/**
 * As UCI writes it.
 */
uci: string, 
/**
 * As people write it.
 */
san: string, 
/**
 * The board after it.
 */
board: Board, 
/**
 * The clocks after it.
 */
clocks?: Sides<Millis> | null, };

// Something on offer.
export type Offered = { 
/**
 * What.
 */
what: Offer, 
/**
 * By which side.
 */
by: Turn, };

// Something that was said.
export type Said = { 
/**
 * When.
 */
at: Millis, 
/**
 * From where; in an earlier game of a series seats had other colours, so names count.
 */
from: Actor, 
/**
 * By whom.
 */
name: string, 
/**
 * What.
 */
text: string, };

// Who may watch a game.
export type Visibility = "public" | "private";

// A whole game.
export type Snapshot = { 
/**
 * The last event.
 */
seq: number, 
/**
 * Where the game stands.
 */
phase: Phase, 
/**
 * What was fixed before the first move; for a game that waits, the side that waits has its
 * name and the other an empty one.
 */
start: Start, 
/**
 * When the game began; nothing while it waits.
 */
started?: Millis | null, 
/**
 * The position from which it was played.
 */
first: Board, 
/**
 * The moves that count.
 */
plies: Array<Ply>, 
/**
 * The clocks as of the last event.
 */
clocks?: Sides<Millis> | null, 
/**
 * The clock that runs.
 */
ticking?: Ticking | null, 
/**
 * How it ended.
 */
ending?: Ending | null, 
/**
 * What is on offer.
 */
offers: Array<Offered>, 
/**
 * Since when a player has been away.
 */
left: Sides<Millis | null>, 
/**
 * What was said, also in the games before this one of a series.
 */
chat: Array<Said>, 
/**
 * The next game of a series.
 */
next?: string | null, 
/**
 * Who may watch.
 */
visibility: Visibility, };

// What the server says at a game.
export type ServerMessage = { "type": "welcome", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The game.
 */
game: string, 
/**
 * Where the client sits; nowhere when it watches.
 */
seat: Place | null, 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * The server's time.
 */
now: Millis, } | { "type": "snapshot" } & Snapshot | { "type": "event" } & Happened | { "type": "turn", 
/**
 * After which event.
 */
seq: number, 
/**
 * Its moves.
 */
moves: Moves, } | { "type": "ack", 
/**
 * The name the client gave it.
 */
id: string, 
/**
 * Its last event.
 */
seq: number, } | { "type": "refused", 
/**
 * The name the client gave it.
 */
id: string, 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * Why.
 */
refusal: Refusal, } | { "type": "why", 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * The move that was asked about.
 */
uci: string, 
/**
 * Why it may not be played; nothing when it may.
 */
refusal: Refusal | null, } | { "type": "presence", 
/**
 * White is connected.
 */
white: boolean, 
/**
 * Black is connected.
 */
black: boolean, 
/**
 * How many watch.
 */
spectators: number, } | { "type": "beat", 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * The server's time.
 */
now: Millis, } | { "type": "bye", 
/**
 * Why: `restart`, `slow`, `flood`, `malformed`, `version`, `gone`.
 */
reason: string, };

// A wish for a colour.
export type Choice = "white" | "black" | "any";

// Standard chess or Chess960.
export type Kind = "standard" | "chess960";

// The game that a player looks for.
export type Seek = { 
/**
 * One's name.
 */
name: string, 
/**
 * The clock.
 */
time: TimeControl, 
/**
 * One's colour.
 */
color: Choice, 
/**
 * `standard` or `chess960`.
 */
variant: Kind, };

// What a client says in the lobby.
export type LobbyMessage = { "type": "hello", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The language of sentences.
 */
lang: Language, } | { "type": "seek", 
/**
 * A name the client gives to the request.
 */
id: string, 
/**
 * What is sought.
 */
seek: Seek, } | { "type": "take", 
/**
 * A name the client gives to the request.
 */
id: string, 
/**
 * Which seek.
 */
seek: string, 
/**
 * One's name.
 */
name: string, } | { "type": "cancel", 
/**
 * A name the client gives to the request.
 */
id: string, };

// A player who looks for an opponent.
export type OpenSeek = { 
/**
 * What to `take`.
 */
id: string, 
/**
 * One's name.
 */
name: string, 
/**
 * The clock.
 */
time: TimeControl, 
/**
 * One's colour.
 */
color: Choice, 
/**
 * `standard` or `chess960`.
 */
variant: Kind, };

// A game to watch.
export type LiveGame = { 
/**
 * Its name.
 */
id: string, 
/**
 * Who plays.
 */
names: Sides<string>, 
/**
 * The clock.
 */
time: TimeControl, 
/**
 * The board.
 */
fen: string, 
/**
 * How many moves were played, counting both sides' moves.
 */
plies: number, 
/**
 * How many watch.
 */
spectators: number, };

// What the server says in the lobby.
export type LobbyNews = { "type": "lobby", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * Who looks for an opponent, the longest first.
 */
seeks: Array<OpenSeek>, 
/**
 * Public games under way, the newest first.
 */
games: Array<LiveGame>, 
/**
 * How many are connected here, in the lobby or at a game.
 */
people: number, } | { "type": "ack", 
/**
 * The name the client gave it.
 */
id: string, 
/**
 * For a seek: its name on the list, until a player takes it.
 */
seek?: string | null, } | { "type": "refused", 
/**
 * The name the client gave it.
 */
id: string, 
/**
 * Why.
 */
refusal: Refusal, } | { "type": "paired", 
/**
 * The game.
 */
game: string, 
/**
 * One's seat.
 */
seat: Place, } | { "type": "beat", 
/**
 * The server's time.
 */
now: Millis, } | { "type": "bye", 
/**
 * Why.
 */
reason: string, };

// With whom one plays.
export type Opponent = "friend" | "local" | "computer";

// What a new game shall be (`POST /api/games`).
export type NewGame = { 
/**
 * With whom.
 */
with: Opponent, 
/**
 * One's name; on one screen, White's.
 */
name: string, 
/**
 * On one screen: Black's name.
 */
other?: string | null, 
/**
 * One's colour.
 */
color: Choice, 
/**
 * The clock.
 */
time: TimeControl, 
/**
 * Standard chess or Chess960.
 */
variant: Kind, 
/**
 * Where it starts, when not as usual.
 */
fen?: string | null, 
/**
 * Who may watch; a game is private unless said otherwise.
 */
visibility?: Visibility | null, 
/**
 * Whether spectators may chat.
 */
spectators: Spectators, 
/**
 * Against the computer: its strength, from 1 to 10.
 */
level?: number | null, };

// A game that was made.
export type Made = { 
/**
 * Its name.
 */
game: string, 
/**
 * One's seat.
 */
seat: Place, 
/**
 * For a friend: what makes the invitation. The link is `/join/` and this.
 */
invitation?: string | null, 
/**
 * For a friend: the whole link.
 */
link?: string | null, };

// Where others on the local network find the server (`POST /api/nearby`).
export type Nearby = { 
/**
 * The address for links.
 */
url: string, };

// Who invites to what (`GET /api/invitations/{token}`).
export type Invited = { 
/**
 * The game.
 */
game: string, 
/**
 * By whom.
 */
name: string, 
/**
 * The seat that waits.
 */
seat: Place, 
/**
 * The clock.
 */
time: TimeControl, 
/**
 * Standard chess or Chess960.
 */
variant: Kind, 
/**
 * Where it starts, when not as usual.
 */
fen?: string | null, 
/**
 * Where the game is played.
 */
source: Source, 
/**
 * Until when it can be taken up.
 */
expires: Millis, 
/**
 * Whether the asker has made it: the game waits for another player.
 */
own: boolean, };

// Why an invitation cannot be used any more, with its game when the asker may see that.
export type SpentInvitation = { 
/**
 * The game that has begun with it.
 */
game: string, 
/**
 * The asker's seat in that game.
 */
seat?: Place | null, 
/**
 * A short name for programs; it never changes.
 */
code: string, 
/**
 * The squares it is about.
 */
squares?: Array<string>, 
/**
 * Where the pieces stand that prove it.
 */
by?: Array<string>, 
/**
 * A sentence in the client's language.
 */
text: string, };

// Who one is here (`GET /api/me`).
export type Me = { 
/**
 * Whether the request came with a key.
 */
known: boolean, 
/**
 * The language of sentences: `ko` or `en`.
 */
lang: string, };

// A new key (`POST /api/keys`): shown once, to be sent as `Authorization: Bearer`.
export type NewKey = { 
/**
 * 32 hexadecimal digits.
 */
key: string, };

// A key for a client that had another one or none (`POST /api/keys/renew`,
// `POST /api/passes/{code}`).
export type GivenKey = { 
/**
 * 32 hexadecimal digits; nothing when it is in a cookie.
 */
key?: string | null, 
/**
 * Whether to ask again with the new key: nothing belongs to it yet.
 */
again?: boolean, };

// Signing out everywhere (`POST /api/keys/renew`).
export type Renewal = { 
/**
 * The key that takes over; nothing at first, and when it is in a cookie.
 */
key?: string | null, };

// A code for one more device (`POST /api/passes`).
export type NewPass = { 
/**
 * Twelve letters and digits in three groups.
 */
code: string, 
/**
 * An address that opens the page there, with the code; nothing when only this machine
 * reaches the server.
 */
link?: string | null, 
/**
 * Until when it can be used.
 */
expires: Millis, };

// A game that two played on one screen without the server, to be kept there too
// (`PUT /api/games/{id}/entries`).
export type Played = { 
/**
 * Its entries from the first to the last, each as the text of one event.
 */
entries: Array<string>, };

// What somebody brings who takes up an invitation (`POST /api/invitations/{token}`).
export type Guest = { 
/**
 * One's name; without one, a guest.
 */
name: string, };

// A command over HTTP (`POST /api/games/{id}/commands`).
export type Posted = { 
/**
 * A name the client gives; a resend under the same name is done once.
 */
id: string, 
/**
 * What.
 */
command: Wish, };

// A command over HTTP is done and kept.
export type Done = { 
/**
 * Its last event.
 */
seq: number, };

// The name of an opening.
export type Opening = { 
/**
 * A letter A to E and two digits.
 */
eco: string, 
/**
 * In English.
 */
name: string, };

// A game of the log.
export type Row = { 
/**
 * Its name.
 */
id: string, 
/**
 * White's name.
 */
white: string, 
/**
 * Black's name.
 */
black: string, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * Why it ended, as a code.
 */
reason: string | null, 
/**
 * How many moves were played, counting both sides' moves.
 */
plies: number, 
/**
 * When it began, as RFC 3339 writes it.
 */
started: string | null, 
/**
 * When it ended.
 */
ended: string | null, 
/**
 * The day as PGN writes it; unknown parts are question marks.
 */
date: string, 
/**
 * `terminal`, `local`, `online`, `computer` or `import`.
 */
source: string, 
/**
 * `live`, `finished`, `aborted` or `adjourned`.
 */
status: string, 
/**
 * Who may find it.
 */
visibility: Visibility, 
/**
 * `standard` or `chess960`.
 */
variant: string, 
/**
 * Where it started, when not as usual.
 */
start_fen: string | null, 
/**
 * The position now, or at the end.
 */
final_fen: string, 
/**
 * As PGN writes it: `300+3`.
 */
time_control: string | null, 
/**
 * The opening.
 */
opening: Opening | null, 
/**
 * The occasion.
 */
event: string | null, 
/**
 * The moves as UCI writes them, with blanks between them.
 */
moves: string, 
/**
 * The number of its last event; 0 for a game of a file.
 */
last_seq: number, 
/**
 * The words its players put on it.
 */
tags: Array<string>, 
/**
 * What its players wrote about it.
 */
note: string | null, };

// A game of one's own that is being played.
export type Running = { 
/**
 * The game.
 */
game: string, 
/**
 * Where one sits.
 */
seat: Place, 
/**
 * When the time of the side to move is up, in milliseconds since 1970; nothing while no
 * clock runs.
 */
deadline?: Millis | null, };

// A page of games (`GET /api/games`).
export type GameList = { 
/**
 * The games.
 */
games: Array<Row>, 
/**
 * What to give as `after` for the next page; nothing at the end.
 */
next: string | null, 
/**
 * Of one's own games (`mine=true`), those that are being played.
 */
running?: Array<Running>, };

// One game (`GET /api/games/{id}`).
export type Game = { 
/**
 * The game.
 */
game: Row, 
/**
 * Whether it is being played.
 */
live: boolean, 
/**
 * Where one sits; nowhere when one only looks.
 */
seat: Place | null, 
/**
 * Whether one may delete it: one has brought it in a file.
 */
deletable: boolean, };

// Results by colour.
export type Tally = { 
/**
 * Won by White.
 */
white: number, 
/**
 * Drawn.
 */
draws: number, 
/**
 * Won by Black.
 */
black: number, 
/**
 * Ended without a result.
 */
open: number, };

// Results as one player sees them.
export type Standing = { 
/**
 * Won.
 */
wins: number, 
/**
 * Drawn.
 */
draws: number, 
/**
 * Lost.
 */
losses: number, 
/**
 * Ended without a result.
 */
open: number, };

// The results that share something.
export type Bucket = { 
/**
 * What: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `online`.
 */
label: string, 
/**
 * By colour.
 */
tally: Tally, 
/**
 * As the player sees them, when one was asked for.
 */
standing: Standing | null, };

// Everybody's results (`GET /api/statistics`).
export type Statistics = { 
/**
 * All games that are over.
 */
games: number, 
/**
 * By colour.
 */
totals: Tally, 
/**
 * By why they ended.
 */
reasons: Array<Bucket>, 
/**
 * By month.
 */
months: Array<Bucket>, 
/**
 * By opening.
 */
openings: Array<Bucket>, 
/**
 * By where they were played.
 */
sources: Array<Bucket>, };

// A player's results.
export type PlayerRow = { 
/**
 * The name.
 */
name: string, 
/**
 * All games.
 */
games: number, 
/**
 * With both colours.
 */
both: Standing, 
/**
 * With the white pieces.
 */
white: Standing, 
/**
 * With the black pieces.
 */
black: Standing, };

// The players with the most games (`GET /api/players`).
export type PlayerList = { 
/**
 * The players.
 */
players: Array<PlayerRow>, };

// A run of games.
export type Run = { 
/**
 * How many.
 */
games: number, 
/**
 * When the last of them began, in milliseconds since 1970.
 */
until: number | null, };

// Runs, in the order in which games began.
export type Streaks = { 
/**
 * The longest run of wins.
 */
wins: Run, 
/**
 * The longest run without a loss.
 */
unbeaten: Run, 
/**
 * The longest run of losses.
 */
losses: Run, 
/**
 * The run that goes on: wins when positive, losses when negative.
 */
current: number, };

// Somebody a player has met.
export type Rival = { 
/**
 * The name.
 */
name: string, 
/**
 * The games, as the player sees them.
 */
standing: Standing, };

// All about one player (`GET /api/players/{name}`).
export type PlayerPage = { 
/**
 * The results.
 */
player: PlayerRow, 
/**
 * The runs.
 */
streaks: Streaks, 
/**
 * Those met most often first.
 */
opponents: Array<Rival>, 
/**
 * By why games ended.
 */
reasons: Array<Bucket>, 
/**
 * By month.
 */
months: Array<Bucket>, 
/**
 * By opening.
 */
openings: Array<Bucket>, 
/**
 * By where they were played.
 */
sources: Array<Bucket>, };

// Two players' games against each other (`GET /api/players/{one}/against/{other}`), as the
// first one sees them.
export type HeadToHead = { 
/**
 * The first.
 */
player: string, 
/**
 * The second.
 */
against: string, 
/**
 * All games.
 */
games: number, 
/**
 * With both colours.
 */
both: Standing, 
/**
 * The first with the white pieces.
 */
white: Standing, 
/**
 * The first with the black pieces.
 */
black: Standing, };

// A word on games.
export type Tag = { 
/**
 * The word.
 */
tag: string, 
/**
 * On how many games it is.
 */
games: number, };

// All words on games (`GET /api/tags`).
export type TagList = { 
/**
 * The words.
 */
tags: Array<Tag>, };

// A note about a game (`PUT /api/games/{id}/note`); an empty one takes it away.
export type Note = { 
/**
 * The text.
 */
note: string, };

// What became of a file (`POST /api/import`).
export type Imported = { 
/**
 * Games added.
 */
added: number, 
/**
 * Games that were there.
 */
duplicates: number, 
/**
 * Games that could not be read.
 */
broken: number, 
/**
 * Whether games were left out because as many have been imported as may be in an hour.
 */
more: boolean, 
/**
 * The first of those that could not be read.
 */
errors: Array<Broken>, };

// A game that could not be read.
export type Broken = { 
/**
 * Where in the file.
 */
line: number, 
/**
 * Why, in a sentence.
 */
text: string, };

// A move in two notations.
export type Listed = { 
/**
 * As UCI writes it.
 */
uci: string, 
/**
 * As people write it.
 */
san: string, };

// The legal moves of a position (`GET /api/moves`).
export type LegalMoves = { 
/**
 * The position.
 */
fen: string, 
/**
 * The square of the king that is in check.
 */
check: string | null, 
/**
 * Why a game would be over here, as a code.
 */
over: string | null, 
/**
 * One after the other, in the order of their text.
 */
moves: Array<Listed>, 
/**
 * From each square, the squares a piece may go to, one after the other: `{"e2":"e3e4"}`. A
 * king that castles goes two squares aside; in Chess960 onto its rook.
 */
targets: { [key in string]: string }, 
/**
 * What is special about a move, by its two squares: `{"e1g1":"castling_right"}`.
 */
special?: { [key in string]: Special }, 
/**
 * Whether a draw may be claimed: `threefold_repetition` or `fifty_moves`.
 */
claim?: string | null, };

// Whether a move is legal (`GET /api/why`).
export type Why = { 
/**
 * The move.
 */
move: string, 
/**
 * Nothing when it is legal.
 */
refusal: Proof | null, 
/**
 * Why not, in a sentence.
 */
text?: string | null, };

// What proves that a move is not legal.
export type Proof = { 
/**
 * A short name for programs.
 */
code: string, 
/**
 * The squares it is about.
 */
squares: Array<string>, 
/**
 * Where the pieces stand that prove it.
 */
by: Array<string>, };

// How far an analysis is.
export type AnalysisState = { "state": "none" } | { "state": "queued", 
/**
 * How many are before it, itself included.
 */
place: number, } | { "state": "running", 
/**
 * Positions that are done.
 */
done: number, 
/**
 * Positions in all.
 */
total: number, } | { "state": "finished", 
/**
 * What was found.
 */
analysis: Analysis, };

// How bad a move was, by the win chance it lost.
export type Grade = "fine" | "inaccuracy" | "mistake" | "blunder";

// What the computer found in a game.
export type Analysis = { 
/**
 * Nodes that were searched in each position.
 */
nodes: number, 
/**
 * All positions, from the start on: one more than moves.
 */
positions: Array<SeenPosition>, 
/**
 * All moves.
 */
moves: Array<JudgedMove>, 
/**
 * How much of the win chance each side's moves kept.
 */
accuracy: Sides<Accuracy>, };

// What was found in a position.
export type SeenPosition = { 
/**
 * White's win chance in thousandths; draws count half.
 */
chance: number, 
/**
 * Hundredths of a pawn for White; none when there is a mate.
 */
score: number | null, 
/**
 * Moves to a mate, negative when Black gives it; 0 when it stands on the board.
 */
mate: number | null, 
/**
 * The best move, as UCI writes it; none when the game is over there.
 */
best: string | null, 
/**
 * The line that begins with it, in algebraic notation.
 */
line: Array<string>, };

// What was found of a move.
export type JudgedMove = { 
/**
 * How bad it was.
 */
grade: Grade, 
/**
 * What it lost of the mover's win chance, in thousandths.
 */
lost: number, 
/**
 * What was wrong with it and what was better, in the asker's language; empty for a fine one.
 */
text: string, };

// How much of the win chance a side's moves kept on average, in percent; none without a move.
export type Accuracy = { 
/**
 * In the whole game.
 */
all: number | null, 
/**
 * In the opening.
 */
opening: number | null, 
/**
 * In the middlegame.
 */
middlegame: number | null, 
/**
 * In the endgame.
 */
endgame: number | null, };

// Which position is to be looked at, and how thoroughly.
export type AskedLines = { 
/**
 * Where it starts; as usual without it.
 */
fen?: string | null, 
/**
 * By which rules.
 */
variant: Kind, 
/**
 * The moves from there to the position, as UCI writes them: repetitions count.
 */
moves?: Array<string>, 
/**
 * How many nodes are searched at most; the server has a limit of its own.
 */
nodes?: number | null, 
/**
 * How many lines, 1 to 5; usually 3.
 */
lines?: number | null, };

// A line.
export type BestLine = { 
/**
 * White's win chance in thousandths; draws count half.
 */
chance: number, 
/**
 * Hundredths of a pawn for White; none when there is a mate.
 */
score: number | null, 
/**
 * Moves to a mate, negative when Black gives it; 0 when it stands on the board.
 */
mate: number | null, 
/**
 * Its first move, as UCI writes it.
 */
best: string | null, 
/**
 * All of its moves, in algebraic notation.
 */
line: Array<string>, 
/**
 * The same as UCI writes them.
 */
moves: Array<string>, };

// What the computer has found by now.
export type FoundLines = { 
/**
 * How many half-moves all lines were searched.
 */
depth: number, 
/**
 * Nodes that were searched.
 */
nodes: number, 
/**
 * Nodes that will be searched in all.
 */
limit: number, 
/**
 * The best lines, the best one first; none when the game is over there.
 */
lines: Array<BestLine>, };

// How far the search is; one line of JSON each.
export type LinesNews = { "state": "queued", 
/**
 * How many are before it, itself included.
 */
place: number, } | { "state": "thinking", 
/**
 * What was found by now.
 */
found: FoundLines, } | { "state": "finished", 
/**
 * What was found.
 */
found: FoundLines, };

// What a player asks in a game against the computer.
export type AskedHint = { "want": "move" } | { "want": "threat" } | { "want": "warning", 
/**
 * The move, as UCI writes it.
 */
uci: string, };

// The answer.
export type Hint = { 
/**
 * The last event of the game when it was asked: later ones make the answer old.
 */
seq: number, 
/**
 * The move to play, or what is threatened, as UCI writes it; none when there is nothing.
 */
uci: string | null, 
/**
 * The same in algebraic notation.
 */
san: string | null, 
/**
 * For a warning: what is wrong with the move, in the asker's language.
 */
text: string | null, };

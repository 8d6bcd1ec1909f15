// Made from crates/protocol by `make wire`. Do not edit: change the Rust types.

export const VERSION = 1;

/** Why a game has ended. */
export type Reason = "checkmate" | "resignation" | "stalemate" | "dead_position" | "locked_pawns" | "fivefold_repetition" | "seventy_five_moves" | "threefold_repetition" | "fifty_moves" | "agreement" | "timeout" | "timeout_draw" | "abandonment" | "abort";

// Milliseconds: a duration, or a time counted from an origin that the caller chooses (the server
// counts from 1970, so that times mean the same on every node).
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

// The sender of a command. The caller must prove it (cookie, token, keyboard); this crate decides
// what the actor may do.
export type Actor = "white" | "black" | "both" | "system" | "spectator";

// What one side can offer to the other.
export type Offer = "draw" | "takeback" | "adjournment" | "resumption" | "rematch";

// What a player claims when the opponent has left.
export type Claimed = "win" | "draw";

// Where a game is played.
export type Source = "terminal" | "local" | "online" | "computer" | "imported";

// What spectators may do.
export type Spectators = "silent" | "chat";

// The time that a move gives to the clock of its player.
export type Bonus = "none" | { "increment": Millis } | { "bronstein": Millis } | { "delay": Millis };

// A part of a game with its own time.
export type Stage = { 
/**
 * The number of moves of each side in this stage; `None` for the rest of the game.
 */
moves?: number | null, 
/**
 * The time that the clock gets at the beginning of the stage.
 */
time: Millis, 
/**
 * The time that every move gives.
 */
bonus: Bonus, };

// How much time the players have.
export type TimeControl = { "kind": "unlimited" } | { "kind": "clock", 
/**
 * One to [`MAX_STAGES`](TimeControl::MAX_STAGES) stages.
 */
stages: Array<Stage>, } | { "kind": "odds", 
/**
 * White's stages, as in `Clock`.
 */
white: Array<Stage>, 
/**
 * Black's stages.
 */
black: Array<Stage>, } | { "kind": "correspondence", 
/**
 * One to [`MAX_DAYS`](TimeControl::MAX_DAYS) days.
 */
days: number, };

// A series of rematches before a game.
export type Series = { 
/**
 * The id of the previous game.
 */
previous: string, 
/**
 * How many games have been played.
 */
games: number, 
/**
 * The players' points, in half points, by their colours in this game.
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
level: number, 
/**
 * True if it resigns a lost game, late; else it plays to the end.
 */
resigns?: boolean, };

// Everything that is fixed before the first move.
export type Start = { 
/**
 * The players' names.
 */
names: Sides<string>, 
/**
 * Standard chess or Chess960.
 */
variant: "standard" | "chess960", 
/**
 * The start position as FEN; `None` for the usual one.
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
 * The computer's side and strength; `None` if it does not play.
 */
computer?: Computer | null, };

// How a game has ended.
export type Ending = { 
/**
 * The winner; none in a draw or an aborted game.
 */
winner: "white" | "black" | "none", 
/**
 * Why it ended.
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
 * The lag that was forgiven: this part of the thinking time was not charged.
 */
lag?: Millis, 
/**
 * The clocks after the move.
 */
clocks?: Sides<Millis> | null, } | { "type": "offered", 
/**
 * The offer.
 */
what: Offer, 
/**
 * The side that made it.
 */
by: "white" | "black", } | { "type": "declined", 
/**
 * The offer.
 */
what: Offer, 
/**
 * The side that declined.
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
 * The player's side.
 */
side: "white" | "black", } | { "type": "returned", 
/**
 * The player's side.
 */
side: "white" | "black", } | { "type": "credited", 
/**
 * How much.
 */
time: Millis, } | { "type": "time_given", 
/**
 * The side that got it.
 */
to: "white" | "black", 
/**
 * How much.
 */
time: Millis, } | { "type": "chatted", 
/**
 * The sender's seat or role.
 */
from: Actor, 
/**
 * A spectator's name.
 */
name?: string | null, 
/**
 * The message.
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
 * The winner; none in a draw or an aborted game.
 */
winner: "white" | "black" | "none", 
/**
 * Why it ended.
 */
reason: Reason, };

// An entry as it is written, for TypeScript and OpenAPI.
export type Entry = { 
/**
 * The version of the event's format.
 */
v: number, 
/**
 * Its number in the log, counted from 1.
 */
seq: number, 
/**
 * When it was committed.
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
 * The lag that was forgiven: this part of the thinking time was not charged.
 */
lag?: Millis, 
/**
 * The clocks after the move.
 */
clocks?: Sides<Millis> | null, } | { "type": "offered", 
/**
 * The offer.
 */
what: Offer, 
/**
 * The side that made it.
 */
by: "white" | "black", } | { "type": "declined", 
/**
 * The offer.
 */
what: Offer, 
/**
 * The side that declined.
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
 * The player's side.
 */
side: "white" | "black", } | { "type": "returned", 
/**
 * The player's side.
 */
side: "white" | "black", } | { "type": "credited", 
/**
 * How much.
 */
time: Millis, } | { "type": "time_given", 
/**
 * The side that got it.
 */
to: "white" | "black", 
/**
 * How much.
 */
time: Millis, } | { "type": "chatted", 
/**
 * The sender's seat or role.
 */
from: Actor, 
/**
 * A spectator's name.
 */
name?: string | null, 
/**
 * The message.
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
 * The winner; none in a draw or an aborted game.
 */
winner: "white" | "black" | "none", 
/**
 * Why it ended.
 */
reason: Reason, });

// The language of sentences.
export type Language = "ko" | "en";

// A command as a client sends it.
export type Wish = { "type": "move", 
/**
 * In UCI notation: `e2e4`, `e7e8q`.
 */
uci: string, } | { "type": "resign" } | { "type": "offer", 
/**
 * The offer.
 */
what: Offer, } | { "type": "accept", 
/**
 * The offer.
 */
what: Offer, } | { "type": "decline", 
/**
 * The offer.
 */
what: Offer, } | { "type": "claim_draw", 
/**
 * The move that leads to it, if the draw is claimed with a move.
 */
with?: string | null, } | { "type": "claim_absence", 
/**
 * A win or a draw.
 */
result: Claimed, } | { "type": "abort" } | { "type": "give_time", 
/**
 * The side that gets them; on one screen, either side.
 */
to: Turn, } | { "type": "chat", 
/**
 * The message.
 */
text: string, 
/**
 * A spectator's name.
 */
name?: string | null, };

// A message from a client of a game to the server.
export type ClientMessage = { "type": "hello", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The number of the last event that the client has; 0 for none.
 */
seq: number, 
/**
 * The language of sentences.
 */
lang: Language, } | { "type": "command", 
/**
 * An id chosen by the client; a command with the same id is executed only once.
 */
id: string, 
/**
 * The command.
 */
command: Wish, } | { "type": "sync", 
/**
 * The last event the client has.
 */
seq: number, } | { "type": "why", 
/**
 * The move in UCI notation.
 */
uci: string, };

// The seat of a client.
export type Seat = "white" | "black" | "both";

// A side.
export type Turn = "white" | "black";

// Why a command is not executed or a request is not answered.
export type Refusal = { 
/**
 * A code for programs; it never changes.
 */
code: string, 
/**
 * The squares that the reason is about.
 */
squares?: Array<string>, 
/**
 * The squares of the pieces that prove it.
 */
by?: Array<string>, 
/**
 * The reason as a sentence in the client's language.
 */
text: string, };

// A position as a board shows it.
export type Board = { 
/**
 * The position as FEN.
 */
fen: string, 
/**
 * The square of the king that is in check.
 */
check?: string | null, };

// A clock that runs: it shows `left` until `from`, and less and less afterwards.
export type Ticking = { 
/**
 * The side to move.
 */
side: Turn, 
/**
 * The time that it shows before it counts down.
 */
left: Millis, 
/**
 * When it starts to count down, in the server's time; missing for a first move, which is free.
 */
from?: Millis | null, 
/**
 * When the game ends on time if no move comes, in the server's time.
 */
until: Millis, };

// A special kind of move.
export type Special = "castling_left" | "castling_right" | "en_passant" | "promotion";

// The legal moves of the side to move.
export type Moves = { 
/**
 * For each square with a piece that can move, its target squares as one string:
 * `{"e2":"e3e4"}`. A king castles by moving two squares; in Chess960 onto its rook.
 */
targets: { [key in string]: string }, 
/**
 * The special moves, by their two squares: `{"e1g1":"castling_right"}`.
 */
special?: { [key in string]: Special }, 
/**
 * The draw that can be claimed, if any: `threefold_repetition` or `fifty_moves`.
 */
claim?: string | null, };

// An event, and what a board shows after it.
export type Happened = { 
/**
 * The event.
 */
entry: Entry, 
/**
 * Only for a move: its algebraic notation.
 */
san?: string | null, 
/**
 * Only if the board has changed: the new one.
 */
board?: Board | null, 
/**
 * The clock that runs now.
 */
ticking?: Ticking | null, };

// The phase of a game.
export type Phase = "waiting" | "playing" | "adjourned" | "ended";

// A move that was played.
export type Ply = { 
/**
 * In UCI notation.
 */
uci: string, 
/**
 * In algebraic notation.
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

// An open offer.
export type Offered = { 
/**
 * The offer.
 */
what: Offer, 
/**
 * The side that made it.
 */
by: Turn, };

// A chat message.
export type ChatMessage = { 
/**
 * When it was sent.
 */
at: Millis, 
/**
 * The sender's seat or role. In an earlier game of a series the colours were different: there
 * the name tells who the sender is.
 */
from: Actor, 
/**
 * The sender's name.
 */
name: string, 
/**
 * The message.
 */
text: string, };

// Who may watch a game.
export type Visibility = "public" | "private";

// A whole game.
export type Snapshot = { 
/**
 * The number of the last event.
 */
seq: number, 
/**
 * The phase of the game.
 */
phase: Phase, 
/**
 * What was fixed before the first move. In a game that waits for its second player, that
 * player's name is empty.
 */
start: Start, 
/**
 * When the game began; missing while it waits.
 */
started?: Millis | null, 
/**
 * The start position.
 */
first: Board, 
/**
 * The moves that were played and not taken back.
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
 * The open offers.
 */
offers: Array<Offered>, 
/**
 * Since when each player has been away.
 */
left: Sides<Millis | null>, 
/**
 * The chat of this game and of the earlier games of its series.
 */
chat: Array<ChatMessage>, 
/**
 * The id of the next game of the series.
 */
next?: string | null, 
/**
 * Who may watch.
 */
visibility: Visibility, };

// A message from the server to a client of a game.
export type ServerMessage = { "type": "welcome", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The game's id.
 */
game: string, 
/**
 * The client's seat; none for a spectator.
 */
seat: Seat | null, 
/**
 * The number of the last event of the game.
 */
seq: number, 
/**
 * The server's time.
 */
now: Millis, } | { "type": "snapshot" } & Snapshot | { "type": "event" } & Happened | { "type": "turn", 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * The moves.
 */
moves: Moves, } | { "type": "ack", 
/**
 * The command's id.
 */
id: string, 
/**
 * The number of its last event.
 */
seq: number, } | { "type": "refused", 
/**
 * The command's id.
 */
id: string, 
/**
 * The last event of the game.
 */
seq: number, 
/**
 * The reason.
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
 * Why it may not be played; none if it may.
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
 * The number of spectators.
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
 * The reason: `restart`, `slow`, `flood`, `malformed`, `version` or `gone`.
 */
reason: string, };

// The colour that a player wishes.
export type Choice = "white" | "black" | "any";

// Standard chess or Chess960.
export type Kind = "standard" | "chess960";

// The game that a player looks for.
export type Seek = { 
/**
 * The player's name.
 */
name: string, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * The player's colour.
 */
color: Choice, 
/**
 * `standard` or `chess960`.
 */
variant: Kind, };

// A message from a client of the lobby to the server.
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
 * An id chosen by the client for this request.
 */
id: string, 
/**
 * The game to look for.
 */
seek: Seek, } | { "type": "take", 
/**
 * An id chosen by the client for this request.
 */
id: string, 
/**
 * The id of the seek.
 */
seek: string, 
/**
 * The client's name.
 */
name: string, } | { "type": "cancel", 
/**
 * An id chosen by the client for this request.
 */
id: string, };

// A seek in the list.
export type OpenSeek = { 
/**
 * The id for `take`.
 */
id: string, 
/**
 * The player's name.
 */
name: string, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * The player's colour.
 */
color: Choice, 
/**
 * `standard` or `chess960`.
 */
variant: Kind, };

// A game to watch.
export type LiveGame = { 
/**
 * Its id.
 */
id: string, 
/**
 * The players' names.
 */
names: Sides<string>, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * The position as FEN.
 */
fen: string, 
/**
 * The number of moves played, counting both sides' moves.
 */
plies: number, 
/**
 * The number of spectators.
 */
spectators: number, };

// A message from the server to a client of the lobby.
export type LobbyNews = { "type": "lobby", 
/**
 * The version of the protocol.
 */
v: number, 
/**
 * The open seeks, the oldest first.
 */
seeks: Array<OpenSeek>, 
/**
 * Public games under way, the newest first.
 */
games: Array<LiveGame>, 
/**
 * The number of connections to the server, in the lobby and at games.
 */
people: number, } | { "type": "ack", 
/**
 * The request's id.
 */
id: string, 
/**
 * Only for a seek: its id in the list, until a player takes it.
 */
seek?: string | null, } | { "type": "refused", 
/**
 * The request's id.
 */
id: string, 
/**
 * The reason.
 */
refusal: Refusal, } | { "type": "paired", 
/**
 * The game's id.
 */
game: string, 
/**
 * The client's seat.
 */
seat: Seat, } | { "type": "beat", 
/**
 * The server's time.
 */
now: Millis, } | { "type": "bye", 
/**
 * The reason.
 */
reason: string, };

// The kind of opponent.
export type Opponent = "friend" | "local" | "computer";

// A request for a new game (`POST /api/games`).
export type NewGame = { 
/**
 * The kind of opponent.
 */
with: Opponent, 
/**
 * The asker's name; on one screen, White's name.
 */
name: string, 
/**
 * Only on one screen: Black's name.
 */
other?: string | null, 
/**
 * The asker's colour.
 */
color: Choice, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * Standard chess or Chess960.
 */
variant: Kind, 
/**
 * The start position as FEN; missing for the usual one.
 */
fen?: string | null, 
/**
 * Who may watch; missing for private.
 */
visibility?: Visibility | null, 
/**
 * Whether spectators may chat.
 */
spectators: Spectators, 
/**
 * Only against the computer: its strength, from 1 to 10.
 */
level?: number | null, 
/**
 * Only against the computer: true if it resigns a lost game, late; else it plays to the end.
 */
resigns?: boolean, };

// A new game.
export type Made = { 
/**
 * Its id.
 */
game: string, 
/**
 * The asker's seat.
 */
seat: Seat, 
/**
 * Only with a friend: the token of the invitation. The link is `/join/` and this token.
 */
invitation?: string | null, 
/**
 * Only with a friend: the whole link.
 */
link?: string | null, };

// The server's address on the local network (`POST /api/nearby`).
export type Nearby = { 
/**
 * The base URL for links.
 */
url: string, };

// An invitation (`GET /api/invitations/{token}`).
export type Invited = { 
/**
 * The game's id.
 */
game: string, 
/**
 * The name of the player who invites.
 */
name: string, 
/**
 * The free seat.
 */
seat: Seat, 
/**
 * The time control.
 */
time: TimeControl, 
/**
 * Standard chess or Chess960.
 */
variant: Kind, 
/**
 * The start position as FEN; missing for the usual one.
 */
fen?: string | null, 
/**
 * Where the game is played.
 */
source: Source, 
/**
 * When the invitation expires.
 */
expires: Millis, 
/**
 * True if the asker has made the invitation: the game waits for another player.
 */
own: boolean, };

// Why an invitation can no longer be used, with its game if the asker may see it.
export type SpentInvitation = { 
/**
 * The id of the game that began with it.
 */
game: string, 
/**
 * The asker's seat in that game.
 */
seat?: Seat | null, 
/**
 * A code for programs; it never changes.
 */
code: string, 
/**
 * The squares that the reason is about.
 */
squares?: Array<string>, 
/**
 * The squares of the pieces that prove it.
 */
by?: Array<string>, 
/**
 * The reason as a sentence in the client's language.
 */
text: string, };

// The asker (`GET /api/me`).
export type Me = { 
/**
 * True if the request came with a player key.
 */
known: boolean, 
/**
 * The language of sentences: `ko` or `en`.
 */
lang: string, };

// A new player key (`POST /api/keys`). It is shown once; send it as `Authorization: Bearer`.
export type NewKey = { 
/**
 * 32 hexadecimal digits.
 */
key: string, };

// A player key for a client that had another one or none (`POST /api/keys/renew`,
// `POST /api/passes/{code}`).
export type GivenKey = { 
/**
 * 32 hexadecimal digits; missing if it is in a cookie.
 */
key?: string | null, 
/**
 * True if the client must ask again with the new key: nothing belongs to it yet.
 */
again?: boolean, };

// Signs out on all other devices (`POST /api/keys/renew`).
export type Renewal = { 
/**
 * The new key, in the second request; missing in the first one, and if it is in a cookie.
 */
key?: string | null, };

// A code that gives one more device the player key (`POST /api/passes`).
export type NewPass = { 
/**
 * Twelve letters and digits in three groups.
 */
code: string, 
/**
 * A link with the code that opens the page on the other device; missing if only this machine
 * can reach the server.
 */
link?: string | null, 
/**
 * When the code expires.
 */
expires: Millis, };

// A game that was played on one screen without the server, to be kept by the server too
// (`PUT /api/games/{id}/entries`).
export type Played = { 
/**
 * All its entries in order, each as JSON text.
 */
entries: Array<string>, };

// The player who accepts an invitation (`POST /api/invitations/{token}`).
export type Guest = { 
/**
 * The player's name; empty for a guest.
 */
name: string, };

// A command over HTTP (`POST /api/games/{id}/commands`).
export type Posted = { 
/**
 * An id chosen by the client; a command with the same id is executed only once.
 */
id: string, 
/**
 * The command.
 */
command: Wish, };

// A command over HTTP is executed, and its events are in the log.
export type Done = { 
/**
 * The number of its last event.
 */
seq: number, };

// The name of an opening.
export type Opening = { 
/**
 * The ECO code: a letter from A to E and two digits.
 */
eco: string, 
/**
 * The English name.
 */
name: string, };

// A game in the list of games.
export type Row = { 
/**
 * Its id.
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
 * The number of moves, counting both sides' moves.
 */
plies: number, 
/**
 * When it began, in RFC 3339 format.
 */
started: string | null, 
/**
 * When it ended, in RFC 3339 format.
 */
ended: string | null, 
/**
 * The day in PGN format; unknown parts are question marks.
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
 * The start position as FEN; none for the usual one.
 */
start_fen: string | null, 
/**
 * The position now, or at the end, as FEN.
 */
final_fen: string, 
/**
 * The time control in PGN format: `300+3`.
 */
time_control: string | null, 
/**
 * The opening.
 */
opening: Opening | null, 
/**
 * The occasion, such as a tournament.
 */
event: string | null, 
/**
 * The moves in UCI notation, with blanks between them.
 */
moves: string, 
/**
 * The number of its last event; 0 for a game from a file.
 */
last_seq: number, 
/**
 * The tags that its players put on it.
 */
tags: Array<string>, 
/**
 * The note that its players wrote about it.
 */
note: string | null, };

// A game of the asker that is in progress.
export type Running = { 
/**
 * The game's id.
 */
game: string, 
/**
 * The asker's seat.
 */
seat: Seat, 
/**
 * When the time of the side to move is up, in milliseconds since 1970; missing while no
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
 * The value of `after` for the next page; none on the last one.
 */
next: string | null, 
/**
 * Only with `mine=true`: the asker's games that are in progress.
 */
running?: Array<Running>, };

// One game (`GET /api/games/{id}`).
export type Game = { 
/**
 * The game.
 */
game: Row, 
/**
 * True if it is in progress.
 */
live: boolean, 
/**
 * The asker's seat; none for a spectator.
 */
seat: Seat | null, 
/**
 * True if the asker may delete it: the asker has imported it from a file.
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

// Results from one player's point of view.
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

// The results of one group of games.
export type Bucket = { 
/**
 * The group: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `online`.
 */
label: string, 
/**
 * The results by colour.
 */
tally: Tally, 
/**
 * The results from the player's point of view, if the request names a player.
 */
standing: Standing | null, };

// The results of all games (`GET /api/statistics`).
export type Statistics = { 
/**
 * The number of finished games.
 */
games: number, 
/**
 * By colour.
 */
totals: Tally, 
/**
 * By the reason of the end.
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
 * By source: where the games were played.
 */
sources: Array<Bucket>, };

// A player's results.
export type PlayerRow = { 
/**
 * The name.
 */
name: string, 
/**
 * The number of games.
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
 * The number of games.
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
 * The current run: wins if positive, losses if negative.
 */
current: number, };

// An opponent of a player.
export type Rival = { 
/**
 * The opponent's name.
 */
name: string, 
/**
 * The results from the player's point of view.
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
 * The opponents, the most frequent first.
 */
opponents: Array<Rival>, 
/**
 * By the reason of the end.
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
 * By source: where the games were played.
 */
sources: Array<Bucket>, };

// Two players' games against each other (`GET /api/players/{one}/against/{other}`), from the
// first one's point of view.
export type HeadToHead = { 
/**
 * The first player's name.
 */
player: string, 
/**
 * The second player's name.
 */
against: string, 
/**
 * The number of games.
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

// A tag that players put on games.
export type Tag = { 
/**
 * The tag.
 */
tag: string, 
/**
 * The number of games that have it.
 */
games: number, };

// All tags (`GET /api/tags`).
export type TagList = { 
/**
 * The tags.
 */
tags: Array<Tag>, };

// A note about a game (`PUT /api/games/{id}/note`); an empty one removes it.
export type Note = { 
/**
 * The text.
 */
note: string, };

// The result of an import (`POST /api/import`).
export type Imported = { 
/**
 * The number of games added.
 */
added: number, 
/**
 * The number of games that the server has already.
 */
duplicates: number, 
/**
 * The number of games that could not be read.
 */
broken: number, 
/**
 * True if games were left out because the limit for one hour was reached.
 */
more: boolean, 
/**
 * The first games that could not be read.
 */
errors: Array<Broken>, };

// A game that could not be read.
export type Broken = { 
/**
 * The line in the file.
 */
line: number, 
/**
 * The reason, as a sentence.
 */
text: string, };

// A move in two notations.
export type Listed = { 
/**
 * In UCI notation.
 */
uci: string, 
/**
 * In algebraic notation.
 */
san: string, };

// The legal moves of a position (`GET /api/moves`).
export type LegalMoves = { 
/**
 * The position as FEN.
 */
fen: string, 
/**
 * The square of the king that is in check.
 */
check: string | null, 
/**
 * The reason's code if a game is over in this position.
 */
over: string | null, 
/**
 * The moves as a list, sorted by their UCI text.
 */
moves: Array<Listed>, 
/**
 * For each square with a piece that can move, its target squares as one string:
 * `{"e2":"e3e4"}`. A king castles by moving two squares; in Chess960 onto its rook.
 */
targets: { [key in string]: string }, 
/**
 * The special moves, by their two squares: `{"e1g1":"castling_right"}`.
 */
special?: { [key in string]: Special }, 
/**
 * The draw that can be claimed, if any: `threefold_repetition` or `fifty_moves`.
 */
claim?: string | null, };

// Why a move is not legal (`GET /api/why`).
export type Why = { 
/**
 * The move in UCI notation.
 */
move: string, 
/**
 * The proof; none if the move is legal.
 */
refusal: Proof | null, 
/**
 * The reason, as a sentence.
 */
text?: string | null, };

// The proof that a move is not legal.
export type Proof = { 
/**
 * A code for programs.
 */
code: string, 
/**
 * The squares that the reason is about.
 */
squares: Array<string>, 
/**
 * The squares of the pieces that prove it.
 */
by: Array<string>, };

// The state of an analysis.
export type AnalysisState = { "state": "none" } | { "state": "queued", 
/**
 * Its place in the queue, counted from 1.
 */
place: number, } | { "state": "running", 
/**
 * The number of analysed positions.
 */
done: number, 
/**
 * The number of all positions.
 */
total: number, } | { "state": "finished", 
/**
 * The result.
 */
analysis: Analysis, };

// How bad a move was, by the win chance that it lost.
export type Grade = "fine" | "inaccuracy" | "mistake" | "blunder";

// The analysis of a game.
export type Analysis = { 
/**
 * The number of nodes searched for each position.
 */
nodes: number, 
/**
 * All positions from the first one on: one more than moves.
 */
positions: Array<SeenPosition>, 
/**
 * All moves.
 */
moves: Array<JudgedMove>, 
/**
 * How much of the win chance each side's moves kept, on average.
 */
accuracy: Sides<Accuracy>, };

// The analysis of a position.
export type SeenPosition = { 
/**
 * White's win chance in thousandths; draws count half.
 */
chance: number, 
/**
 * White's advantage in hundredths of a pawn; none if there is a mate.
 */
score: number | null, 
/**
 * Moves until mate, negative if Black gives it; 0 if it is on the board.
 */
mate: number | null, 
/**
 * The best move in UCI notation; none if the game is over there.
 */
best: string | null, 
/**
 * The line that begins with it, in algebraic notation.
 */
line: Array<string>, };

// The analysis of a move.
export type JudgedMove = { 
/**
 * How bad it was.
 */
grade: Grade, 
/**
 * How much of the mover's win chance it lost, in thousandths.
 */
lost: number, 
/**
 * What was wrong with it and what was better, in the asker's language; empty for a fine move.
 */
text: string, };

// How much of the win chance a side's moves kept on average, in percent; none without moves.
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

// A request for the best lines of a position.
export type AskedLines = { 
/**
 * The start position as FEN; missing for the usual one.
 */
fen?: string | null, 
/**
 * Standard chess or Chess960.
 */
variant: Kind, 
/**
 * The moves from there to the position, in UCI notation; repetitions count.
 */
moves?: Array<string>, 
/**
 * The most nodes to search; the server has a limit of its own.
 */
nodes?: number | null, 
/**
 * The number of lines, 1 to 5; 3 if missing.
 */
lines?: number | null, };

// A line.
export type BestLine = { 
/**
 * White's win chance in thousandths; draws count half.
 */
chance: number, 
/**
 * White's advantage in hundredths of a pawn; none if there is a mate.
 */
score: number | null, 
/**
 * Moves until mate, negative if Black gives it; 0 if it is on the board.
 */
mate: number | null, 
/**
 * Its first move in UCI notation.
 */
best: string | null, 
/**
 * All of its moves in algebraic notation.
 */
line: Array<string>, 
/**
 * All of its moves in UCI notation.
 */
moves: Array<string>, };

// The best lines found so far.
export type FoundLines = { 
/**
 * The search depth of all lines, in half-moves.
 */
depth: number, 
/**
 * The number of nodes searched so far.
 */
nodes: number, 
/**
 * The number of nodes to search in all.
 */
limit: number, 
/**
 * The lines, the best one first; empty if the game is over there.
 */
lines: Array<BestLine>, };

// The progress of the search, as one line of JSON.
export type LinesNews = { "state": "queued", 
/**
 * Its place in the queue, counted from 1.
 */
place: number, } | { "state": "thinking", 
/**
 * The best lines so far.
 */
found: FoundLines, } | { "state": "finished", 
/**
 * The best lines.
 */
found: FoundLines, };

// A request for a hint in a game against the computer.
export type AskedHint = { "want": "move" } | { "want": "threat" } | { "want": "warning", 
/**
 * The move in UCI notation.
 */
uci: string, };

// A hint.
export type Hint = { 
/**
 * The last event of the game when the hint was asked for; after a later one it is outdated.
 */
seq: number, 
/**
 * The move to play, or the threat, in UCI notation; none if there is none.
 */
uci: string | null, 
/**
 * The same in algebraic notation.
 */
san: string | null, 
/**
 * Only for a warning: what is wrong with the move, in the asker's language.
 */
text: string | null, };

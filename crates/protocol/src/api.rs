//! What the HTTP API takes and answers, beside what goes over a websocket.

use serde::{Deserialize, Serialize};

use crate::shapes::shapes;
use crate::{Moves, Place, Visibility, Wish};

shapes! {
    /// Who one is here (`GET /api/me`).
    Me {
        /// Whether the request came with a key.
        known: bool,
        /// The language of sentences: `ko` or `en`.
        lang: String,
    }

    /// A new key (`POST /api/keys`): shown once, to be sent as `Authorization: Bearer`.
    NewKey {
        /// 32 hexadecimal digits.
        key: String,
    }

    /// A key for a client that had another one or none (`POST /api/keys/renew`,
    /// `POST /api/passes/{code}`).
    GivenKey {
        /// 32 hexadecimal digits; nothing when it is in a cookie.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Whether to ask again with the new key: nothing belongs to it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    }

    /// Signing out everywhere (`POST /api/keys/renew`).
    Renewal {
        /// The key that takes over; nothing at first, and when it is in a cookie.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    }

    /// A code for one more device (`POST /api/passes`).
    NewPass {
        /// Twelve letters and digits in three groups.
        code: String,
        /// An address that opens the page there, with the code; nothing when only this machine
        /// reaches the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link: Option<String>,
        /// Until when it can be used.
        expires: hansu_play::Millis,
    }

    /// What somebody brings who takes up an invitation (`POST /api/invitations/{token}`).
    Guest {
        /// One's name; without one, a guest.
        #[serde(default)]
        name: String,
    }

    /// A command over HTTP (`POST /api/games/{id}/commands`).
    Posted {
        /// A name the client gives; a resend under the same name is done once.
        id: String,
        /// What.
        command: Wish,
    }

    /// A game that two played on one screen without the server, to be kept there too
    /// (`PUT /api/games/{id}/entries`).
    Played {
        /// Its entries from the first to the last, each as the text of one event.
        entries: Vec<String>,
    }

    /// A command over HTTP is done and kept.
    Done {
        /// Its last event.
        seq: u64,
    }

    /// A game of the log.
    Row {
        /// Its name.
        id: String,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// Why it ended, as a code.
        reason: Option<String>,
        /// How many moves were played, counting both sides' moves.
        plies: u64,
        /// When it began, as RFC 3339 writes it.
        started: Option<String>,
        /// When it ended.
        ended: Option<String>,
        /// The day as PGN writes it; unknown parts are question marks.
        date: String,
        /// `terminal`, `local`, `online`, `computer` or `import`.
        source: String,
        /// `live`, `finished`, `aborted` or `adjourned`.
        status: String,
        /// Who may find it.
        visibility: Visibility,
        /// `standard` or `chess960`.
        variant: String,
        /// Where it started, when not as usual.
        start_fen: Option<String>,
        /// The position now, or at the end.
        final_fen: String,
        /// As PGN writes it: `300+3`.
        time_control: Option<String>,
        /// The opening.
        opening: Option<Opening>,
        /// The occasion.
        event: Option<String>,
        /// The moves as UCI writes them, with blanks between them.
        moves: String,
        /// The number of its last event; 0 for a game of a file.
        last_seq: u64,
        /// The words its players put on it.
        tags: Vec<String>,
        /// What its players wrote about it.
        note: Option<String>,
    }

    /// The name of an opening.
    Opening {
        /// A letter A to E and two digits.
        eco: String,
        /// In English.
        name: String,
    }

    /// A page of games (`GET /api/games`).
    GameList {
        /// The games.
        games: Vec<Row>,
        /// What to give as `after` for the next page; nothing at the end.
        next: Option<String>,
        /// Of one's own games (`mine=true`), those that are being played.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        running: Vec<Running>,
    }

    /// A game of one's own that is being played.
    Running {
        /// The game.
        game: String,
        /// Where one sits.
        seat: Place,
        /// When the time of the side to move is up, in milliseconds since 1970; nothing while no
        /// clock runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<hansu_play::Millis>,
    }

    /// One game (`GET /api/games/{id}`).
    Game {
        /// The game.
        game: Row,
        /// Whether it is being played.
        live: bool,
        /// Where one sits; nowhere when one only looks.
        seat: Option<Place>,
        /// Whether one may delete it: one has brought it in a file.
        deletable: bool,
    }

    /// Results by colour.
    Tally {
        /// Won by White.
        white: u64,
        /// Drawn.
        draws: u64,
        /// Won by Black.
        black: u64,
        /// Ended without a result.
        open: u64,
    }

    /// Results as one player sees them.
    Standing {
        /// Won.
        wins: u64,
        /// Drawn.
        draws: u64,
        /// Lost.
        losses: u64,
        /// Ended without a result.
        open: u64,
    }

    /// The results that share something.
    Bucket {
        /// What: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `online`.
        label: String,
        /// By colour.
        tally: Tally,
        /// As the player sees them, when one was asked for.
        standing: Option<Standing>,
    }

    /// Everybody's results (`GET /api/statistics`).
    Statistics {
        /// All games that are over.
        games: u64,
        /// By colour.
        totals: Tally,
        /// By why they ended.
        reasons: Vec<Bucket>,
        /// By month.
        months: Vec<Bucket>,
        /// By opening.
        openings: Vec<Bucket>,
        /// By where they were played.
        sources: Vec<Bucket>,
    }

    /// A player's results.
    PlayerRow {
        /// The name.
        name: String,
        /// All games.
        games: u64,
        /// With both colours.
        both: Standing,
        /// With the white pieces.
        white: Standing,
        /// With the black pieces.
        black: Standing,
    }

    /// The players with the most games (`GET /api/players`).
    PlayerList {
        /// The players.
        players: Vec<PlayerRow>,
    }

    /// A run of games.
    Run {
        /// How many.
        games: u64,
        /// When the last of them began, in milliseconds since 1970.
        until: Option<i64>,
    }

    /// Runs, in the order in which games began.
    Streaks {
        /// The longest run of wins.
        wins: Run,
        /// The longest run without a loss.
        unbeaten: Run,
        /// The longest run of losses.
        losses: Run,
        /// The run that goes on: wins when positive, losses when negative.
        current: i64,
    }

    /// Somebody a player has met.
    Rival {
        /// The name.
        name: String,
        /// The games, as the player sees them.
        standing: Standing,
    }

    /// All about one player (`GET /api/players/{name}`).
    PlayerPage {
        /// The results.
        player: PlayerRow,
        /// The runs.
        streaks: Streaks,
        /// Those met most often first.
        opponents: Vec<Rival>,
        /// By why games ended.
        reasons: Vec<Bucket>,
        /// By month.
        months: Vec<Bucket>,
        /// By opening.
        openings: Vec<Bucket>,
        /// By where they were played.
        sources: Vec<Bucket>,
    }

    /// Two players' games against each other (`GET /api/players/{one}/against/{other}`), as the
    /// first one sees them.
    HeadToHead {
        /// The first.
        player: String,
        /// The second.
        against: String,
        /// All games.
        games: u64,
        /// With both colours.
        both: Standing,
        /// The first with the white pieces.
        white: Standing,
        /// The first with the black pieces.
        black: Standing,
    }

    /// A word on games.
    Tag {
        /// The word.
        tag: String,
        /// On how many games it is.
        games: u64,
    }

    /// All words on games (`GET /api/tags`).
    TagList {
        /// The words.
        tags: Vec<Tag>,
    }

    /// A note about a game (`PUT /api/games/{id}/note`); an empty one takes it away.
    Note {
        /// The text.
        note: String,
    }

    /// What became of a file (`POST /api/import`).
    Imported {
        /// Games added.
        added: u64,
        /// Games that were there.
        duplicates: u64,
        /// Games that could not be read.
        broken: u64,
        /// Whether games were left out because as many have been imported as may be in an hour.
        more: bool,
        /// The first of those that could not be read.
        errors: Vec<Broken>,
    }

    /// A game that could not be read.
    Broken {
        /// Where in the file.
        line: u64,
        /// Why, in a sentence.
        text: String,
    }

    /// A move in two notations.
    Listed {
        /// As UCI writes it.
        uci: String,
        /// As people write it.
        san: String,
    }

    /// The legal moves of a position (`GET /api/moves`).
    LegalMoves {
        /// The position.
        fen: String,
        /// The square of the king that is in check.
        check: Option<String>,
        /// Why a game would be over here, as a code.
        over: Option<String>,
        /// By squares.
        #[serde(flatten)]
        targets: Moves,
        /// One after the other, in the order of their text.
        moves: Vec<Listed>,
    }

    /// Whether a move is legal (`GET /api/why`).
    Why {
        /// The move.
        r#move: String,
        /// Nothing when it is legal.
        refusal: Option<Proof>,
        /// Why not, in a sentence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    /// What proves that a move is not legal.
    Proof {
        /// A short name for programs.
        code: String,
        /// The squares it is about.
        squares: Vec<String>,
        /// Where the pieces stand that prove it.
        by: Vec<String>,
    }
}

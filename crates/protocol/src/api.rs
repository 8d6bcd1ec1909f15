//! Requests and answers of the HTTP API that are not also sent over a websocket.

use serde::{Deserialize, Serialize};

use crate::shapes::shapes;
use crate::{Moves, Seat, Visibility, Wish};

shapes! {
    /// The asker (`GET /api/me`).
    Me {
        /// True if the request came with a player key.
        known: bool,
        /// The language of sentences: `ko` or `en`.
        lang: String,
    }

    /// A new player key (`POST /api/keys`). It is shown once; send it as `Authorization: Bearer`.
    NewKey {
        /// 32 hexadecimal digits.
        key: String,
    }

    /// A player key for a client that had another one or none (`POST /api/keys/renew`,
    /// `POST /api/passes/{code}`).
    GivenKey {
        /// 32 hexadecimal digits; missing if it is in a cookie.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// True if the client must ask again with the new key: nothing belongs to it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    }

    /// Signs out on all other devices (`POST /api/keys/renew`).
    Renewal {
        /// The new key, in the second request; missing in the first one, and if it is in a cookie.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    }

    /// A code that gives one more device the player key (`POST /api/passes`).
    NewPass {
        /// Twelve letters and digits in three groups.
        code: String,
        /// A link with the code that opens the page on the other device; missing if only this machine
        /// can reach the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link: Option<String>,
        /// When the code expires.
        expires: hansu_play::Millis,
    }

    /// The player who accepts an invitation (`POST /api/invitations/{token}`).
    Guest {
        /// The player's name; empty for a guest.
        #[serde(default)]
        name: String,
    }

    /// A command over HTTP (`POST /api/games/{id}/commands`).
    Posted {
        /// An id chosen by the client; a command with the same id is executed only once.
        id: String,
        /// The command.
        command: Wish,
    }

    /// A game that was played on one screen without the server, to be kept by the server too
    /// (`PUT /api/games/{id}/entries`).
    Played {
        /// All its entries in order, each as JSON text.
        entries: Vec<String>,
    }

    /// A command over HTTP is executed, and its events are in the log.
    Done {
        /// The number of its last event.
        seq: u64,
    }

    /// A game in the list of games.
    Row {
        /// Its id.
        id: String,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// Why it ended, as a code.
        reason: Option<String>,
        /// The number of moves, counting both sides' moves.
        plies: u64,
        /// When it began, in RFC 3339 format.
        started: Option<String>,
        /// When it ended, in RFC 3339 format.
        ended: Option<String>,
        /// The day in PGN format; unknown parts are question marks.
        date: String,
        /// `terminal`, `local`, `online`, `computer` or `import`.
        source: String,
        /// `live`, `finished`, `aborted` or `adjourned`.
        status: String,
        /// Who may find it.
        visibility: Visibility,
        /// `standard` or `chess960`.
        variant: String,
        /// The start position as FEN; none for the usual one.
        start_fen: Option<String>,
        /// The position now, or at the end, as FEN.
        final_fen: String,
        /// The time control in PGN format: `300+3`.
        time_control: Option<String>,
        /// The opening.
        opening: Option<Opening>,
        /// The occasion, such as a tournament.
        event: Option<String>,
        /// The moves in UCI notation, with blanks between them.
        moves: String,
        /// The number of its last event; 0 for a game from a file.
        last_seq: u64,
        /// The tags that its players put on it.
        tags: Vec<String>,
        /// The note that its players wrote about it.
        note: Option<String>,
    }

    /// The name of an opening.
    Opening {
        /// The ECO code: a letter from A to E and two digits.
        eco: String,
        /// The English name.
        name: String,
    }

    /// A page of games (`GET /api/games`).
    GameList {
        /// The games.
        games: Vec<Row>,
        /// The value of `after` for the next page; none on the last one.
        next: Option<String>,
        /// Only with `mine=true`: the asker's games that are in progress.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        running: Vec<Running>,
    }

    /// A game of the asker that is in progress.
    Running {
        /// The game's id.
        game: String,
        /// The asker's seat.
        seat: Seat,
        /// When the time of the side to move is up, in milliseconds since 1970; missing while no
        /// clock runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<hansu_play::Millis>,
    }

    /// One game (`GET /api/games/{id}`).
    Game {
        /// The game.
        game: Row,
        /// True if it is in progress.
        live: bool,
        /// The asker's seat; none for a spectator.
        seat: Option<Seat>,
        /// True if the asker may delete it: the asker has imported it from a file.
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

    /// Results from one player's point of view.
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

    /// The results of one group of games.
    Bucket {
        /// The group: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `online`.
        label: String,
        /// The results by colour.
        tally: Tally,
        /// The results from the player's point of view, if the request names a player.
        standing: Option<Standing>,
    }

    /// The results of all games (`GET /api/statistics`).
    Statistics {
        /// The number of finished games.
        games: u64,
        /// By colour.
        totals: Tally,
        /// By the reason of the end.
        reasons: Vec<Bucket>,
        /// By month.
        months: Vec<Bucket>,
        /// By opening.
        openings: Vec<Bucket>,
        /// By source: where the games were played.
        sources: Vec<Bucket>,
    }

    /// A player's results.
    PlayerRow {
        /// The name.
        name: String,
        /// The number of games.
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
        /// The number of games.
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
        /// The current run: wins if positive, losses if negative.
        current: i64,
    }

    /// An opponent of a player.
    Rival {
        /// The opponent's name.
        name: String,
        /// The results from the player's point of view.
        standing: Standing,
    }

    /// All about one player (`GET /api/players/{name}`).
    PlayerPage {
        /// The results.
        player: PlayerRow,
        /// The runs.
        streaks: Streaks,
        /// The opponents, the most frequent first.
        opponents: Vec<Rival>,
        /// By the reason of the end.
        reasons: Vec<Bucket>,
        /// By month.
        months: Vec<Bucket>,
        /// By opening.
        openings: Vec<Bucket>,
        /// By source: where the games were played.
        sources: Vec<Bucket>,
    }

    /// Two players' games against each other (`GET /api/players/{one}/against/{other}`), from the
    /// first one's point of view.
    HeadToHead {
        /// The first player's name.
        player: String,
        /// The second player's name.
        against: String,
        /// The number of games.
        games: u64,
        /// With both colours.
        both: Standing,
        /// The first with the white pieces.
        white: Standing,
        /// The first with the black pieces.
        black: Standing,
    }

    /// A tag that players put on games.
    Tag {
        /// The tag.
        tag: String,
        /// The number of games that have it.
        games: u64,
    }

    /// All tags (`GET /api/tags`).
    TagList {
        /// The tags.
        tags: Vec<Tag>,
    }

    /// A note about a game (`PUT /api/games/{id}/note`); an empty one removes it.
    Note {
        /// The text.
        note: String,
    }

    /// The result of an import (`POST /api/import`).
    Imported {
        /// The number of games added.
        added: u64,
        /// The number of games that the server has already.
        duplicates: u64,
        /// The number of games that could not be read.
        broken: u64,
        /// True if games were left out because the limit for one hour was reached.
        more: bool,
        /// The first games that could not be read.
        errors: Vec<Broken>,
    }

    /// A game that could not be read.
    Broken {
        /// The line in the file.
        line: u64,
        /// The reason, as a sentence.
        text: String,
    }

    /// A move in two notations.
    Listed {
        /// In UCI notation.
        uci: String,
        /// In algebraic notation.
        san: String,
    }

    /// The legal moves of a position (`GET /api/moves`).
    LegalMoves {
        /// The position as FEN.
        fen: String,
        /// The square of the king that is in check.
        check: Option<String>,
        /// The reason's code if a game is over in this position.
        over: Option<String>,
        /// The moves by their squares.
        #[serde(flatten)]
        targets: Moves,
        /// The moves as a list, sorted by their UCI text.
        moves: Vec<Listed>,
    }

    /// Why a move is not legal (`GET /api/why`).
    Why {
        /// The move in UCI notation.
        r#move: String,
        /// The proof; none if the move is legal.
        refusal: Option<Proof>,
        /// The reason, as a sentence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    /// The proof that a move is not legal.
    Proof {
        /// A code for programs.
        code: String,
        /// The squares that the reason is about.
        squares: Vec<String>,
        /// The squares of the pieces that prove it.
        by: Vec<String>,
    }
}

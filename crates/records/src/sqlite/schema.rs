//! The tables, as a list of migrations from one version of the file to the next.
//!
//! - `games` has one row for each game, almost all of it numbers: names, reasons and openings are
//!   in tables of their own, so that a million rows and their indexes stay small. `n` is the order
//!   of arrival, `at` the time when the game began (see `tallies::UNKNOWN`); lists are ordered by
//!   `(at, n)`. The row of a live game includes the events up to `last_seq`; later events carry
//!   what they changed (see [`super::tail`]). When moves are written to the row, only `last_seq`,
//!   `plies` and `deadline` change, so one page and no index: `wake`, the index for finding overdue
//!   games, is somewhat before the deadline and seldom changes, and `games_plies` leaves unfinished
//!   games out. Every page that a move changes is written twice: six pages were most of the cost of
//!   a move, and two of three made others wait.
//! - `events` is the log of a game; `client` has the command key, on the last event of an append.
//!   It has no index: a resend is looked for only among the events of its game.
//! - `lines` has the columns that no filter uses: moves, positions, PGN tags.
//! - `seats` has one row for each holder and game, in the order of lists; `at` and `game` are those
//!   of the game's row.
//! - `invitations` are for games that have no row yet. One that was used or withdrawn stays, so
//!   that its link can say what happened; its `expires` then equals its `made`.
//! - `seeks` are players who wait for any opponent.
//! - `tags` and `notes` belong to their author; those of the keeper of the log have an empty
//!   holder.
//! - `beats` has the last heartbeat of each server.
//! - `analyses` are computer analyses; they can be computed again.
//! - `counts` (kinds in `tallies::kind`) and the counters in `names` are the statistics, updated in
//!   the transaction that changes a game; `shown` and the kinds from 16 on are the same for public
//!   games only.

/// Marks a file as a log of Hansu (`PRAGMA application_id`): "Hnsu".
pub(crate) const APPLICATION: i64 = 0x486e_7375;

/// Migration `i` leads from version `i` to version `i + 1`. A released migration never changes.
pub(crate) const MIGRATIONS: &[&str] = &[
    r"
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  games INTEGER NOT NULL DEFAULT 0,
  white_wins INTEGER NOT NULL DEFAULT 0,
  white_draws INTEGER NOT NULL DEFAULT 0,
  white_losses INTEGER NOT NULL DEFAULT 0,
  white_open INTEGER NOT NULL DEFAULT 0,
  black_wins INTEGER NOT NULL DEFAULT 0,
  black_draws INTEGER NOT NULL DEFAULT 0,
  black_losses INTEGER NOT NULL DEFAULT 0,
  black_open INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX names_games ON names (games);
CREATE VIRTUAL TABLE names_text
  USING fts5 (folded, content = 'names', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE words_text
  USING fts5 (text, content = 'words', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE openings (
  id INTEGER PRIMARY KEY, eco TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (eco, name)
) STRICT;

CREATE TABLE games (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  ended INTEGER,
  white INTEGER NOT NULL,
  black INTEGER NOT NULL,
  result INTEGER NOT NULL,
  reason INTEGER,
  plies INTEGER NOT NULL,
  source INTEGER NOT NULL,
  status INTEGER NOT NULL,
  variant INTEGER NOT NULL,
  opening INTEGER,
  event INTEGER,
  time_control INTEGER,
  deadline INTEGER,
  last_seq INTEGER NOT NULL,
  hash BLOB
) STRICT;
CREATE UNIQUE INDEX games_id ON games (id);
CREATE INDEX games_at ON games (at);
CREATE INDEX games_white ON games (white, at, n, result, status, black);
CREATE INDEX games_black ON games (black, at, n, result, status, white);
CREATE INDEX games_result ON games (result, at);
CREATE INDEX games_reason ON games (reason, result, at);
CREATE INDEX games_opening ON games (opening, at);
CREATE INDEX games_event ON games (event, at);
CREATE INDEX games_plies ON games (plies, at);
CREATE INDEX games_source ON games (source, at);
CREATE INDEX games_status ON games (status, at) WHERE status <> 1;
CREATE INDEX games_deadline ON games (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX games_hash ON games (hash) WHERE hash IS NOT NULL;

CREATE TABLE lines (
  game INTEGER PRIMARY KEY,
  moves BLOB NOT NULL,
  start_fen TEXT,
  final_fen TEXT NOT NULL,
  headers TEXT,
  annotations TEXT
) STRICT;

CREATE TABLE events (
  game_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  client TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_client ON events (game_id, client) WHERE client IS NOT NULL;

CREATE TABLE tags (
  tag TEXT NOT NULL, at INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (tag, at, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_game ON tags (game);

CREATE TABLE notes (game INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE notes_text
  USING fts5 (text, content = 'notes', content_rowid = 'game', tokenize = 'trigram');

CREATE TABLE counts (
  kind INTEGER NOT NULL,
  value INTEGER NOT NULL,
  white INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  black INTEGER NOT NULL,
  open INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
  key TEXT PRIMARY KEY,
  seen INTEGER NOT NULL,
  added INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  broken INTEGER NOT NULL,
  finished INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
",
    r"
ALTER TABLE games ADD COLUMN visibility INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_visibility ON games (visibility, at);
CREATE INDEX games_open ON games (visibility, status, at) WHERE status <> 1;
DROP INDEX games_plies;
CREATE INDEX games_plies ON games (plies, at) WHERE status = 1;
INSERT INTO counts SELECT 7, 0, white, draws, black, open FROM counts WHERE kind = 0;

CREATE TABLE seats (
  holder BLOB NOT NULL,
  at INTEGER NOT NULL,
  game INTEGER NOT NULL,
  side INTEGER NOT NULL,
  PRIMARY KEY (holder, at, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_game ON seats (game);

CREATE TABLE invitations (
  hash BLOB NOT NULL UNIQUE,
  game TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  holder BLOB NOT NULL,
  made INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_holder ON invitations (holder, expires);
CREATE INDEX invitations_expires ON invitations (expires);

CREATE TABLE beats (node TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
",
    r"
ALTER TABLE games ADD COLUMN wake INTEGER;
UPDATE games SET wake = deadline WHERE deadline IS NOT NULL;
DROP INDEX games_deadline;
CREATE INDEX games_wake ON games (wake) WHERE wake IS NOT NULL;
DROP INDEX events_client;
",
    r"
ALTER TABLE events ADD COLUMN moves BLOB;
ALTER TABLE events ADD COLUMN deadline INTEGER;
",
    r"
DELETE FROM invitations WHERE expires >= 8640000000000000;
ALTER TABLE invitations ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
DROP INDEX invitations_expires;
CREATE INDEX invitations_unused ON invitations (expires) WHERE state <> 1;

CREATE TABLE seeks (
  game TEXT PRIMARY KEY,
  node TEXT NOT NULL,
  body TEXT NOT NULL,
  holder BLOB NOT NULL,
  made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX seeks_made ON seeks (made, game);
",
    r"
DROP INDEX games_white;
DROP INDEX games_black;
CREATE INDEX games_white ON games (white, at, n, result, status, black, visibility);
CREATE INDEX games_black ON games (black, at, n, result, status, white, visibility);

CREATE TABLE shown (
  id INTEGER PRIMARY KEY,
  games INTEGER NOT NULL,
  white_wins INTEGER NOT NULL,
  white_draws INTEGER NOT NULL,
  white_losses INTEGER NOT NULL,
  white_open INTEGER NOT NULL,
  black_wins INTEGER NOT NULL,
  black_draws INTEGER NOT NULL,
  black_losses INTEGER NOT NULL,
  black_open INTEGER NOT NULL
) STRICT;
CREATE INDEX shown_games ON shown (games);
CREATE TEMP VIEW public AS SELECT * FROM main.games WHERE status = 1 AND visibility = 0;
INSERT INTO shown
  SELECT id, count(*), sum(white AND result = 0), sum(white AND result = 1),
    sum(white AND result = 2), sum(white AND result = 3), sum(NOT white AND result = 2),
    sum(NOT white AND result = 1), sum(NOT white AND result = 0), sum(NOT white AND result = 3)
  FROM (SELECT white AS id, 1 AS white, result FROM public
    UNION ALL SELECT black, 0, result FROM public) GROUP BY id;
INSERT INTO counts
  SELECT kind, value, sum(result = 0), sum(result = 1), sum(result = 2), sum(result = 3)
  FROM (SELECT 16 AS kind, 0 AS value, result FROM public
    UNION ALL SELECT 17, ifnull(reason, 0), result FROM public
    UNION ALL SELECT 18, ifnull(12 * strftime('%Y', at / 1000.0, 'unixepoch')
      + strftime('%m', at / 1000.0, 'unixepoch') - 1, 0), result
      FROM public WHERE at > -1152921504606846976
    UNION ALL SELECT 19, ifnull(opening, 0), result FROM public
    UNION ALL SELECT 20, source, result FROM public
    UNION ALL SELECT 21, plies, result FROM public
    UNION ALL SELECT 22, ifnull(event, 0), result FROM public
    UNION ALL SELECT 23, visibility, result FROM public)
  GROUP BY kind, value;
DROP VIEW public;

ALTER TABLE tags RENAME TO old_tags;
CREATE TABLE tags (
  holder BLOB NOT NULL, tag TEXT NOT NULL, at INTEGER NOT NULL, game INTEGER NOT NULL,
  PRIMARY KEY (holder, tag, at, game)
) STRICT, WITHOUT ROWID;
INSERT INTO tags SELECT s.holder, t.tag, t.at, t.game FROM old_tags t JOIN seats s USING (game);
INSERT INTO tags
  SELECT x'', tag, at, game FROM old_tags WHERE game NOT IN (SELECT game FROM seats);
DROP TABLE old_tags;
CREATE INDEX tags_tag ON tags (tag, game);
CREATE INDEX tags_game ON tags (game);

ALTER TABLE notes RENAME TO old_notes;
DROP TABLE notes_text;
CREATE TABLE notes (
  id INTEGER PRIMARY KEY, game INTEGER NOT NULL, holder BLOB NOT NULL, text TEXT NOT NULL,
  UNIQUE (game, holder)
) STRICT;
INSERT INTO notes (game, holder, text)
  SELECT n.game, s.holder, n.text FROM old_notes n JOIN seats s USING (game);
INSERT INTO notes (game, holder, text)
  SELECT game, x'', text FROM old_notes WHERE game NOT IN (SELECT game FROM seats);
DROP TABLE old_notes;
CREATE VIRTUAL TABLE notes_text
  USING fts5 (text, content = 'notes', content_rowid = 'id', tokenize = 'trigram');
INSERT INTO notes_text (notes_text) VALUES ('rebuild');
",
    r"
CREATE TABLE analyses (
  game INTEGER PRIMARY KEY,
  nodes INTEGER NOT NULL,
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
",
    r"
CREATE TABLE passes (
  hash BLOB PRIMARY KEY,
  sealed BLOB NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passes_expires ON passes (expires);
CREATE INDEX notes_holder ON notes (holder);
",
];

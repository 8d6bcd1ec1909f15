//! The tables, as a list of migrations from one version of the database to the next.
//!
//! They hold the same data as SQLite's (see `sqlite::schema`), arranged for a server with many
//! writers:
//!
//! - Every update writes a new version of the row, and new entries in all indexes if any indexed
//!   column changes. So the columns of `games` that a move changes are in no index: `last_seq`,
//!   `plies`, `opening`, `deadline`, `wake`, `moves`, `final_fen`. Lookups use copies of them:
//!   `over_plies` and `over_opening` are set when a game is finished, and `wakes` is a table of its
//!   own.
//! - No transaction updates a counter while others wait for it: it inserts its changes into
//!   `pending`, which needs no locks, and now and then one node merges them into `counts` and
//!   `players`. Readers add both.
//! - `grams` are the bigrams and trigrams of a text, in lower case: an index of them finds any part
//!   of a text, in any language, without an extension of the server.
//! - Texts are ordered byte by byte (`COLLATE "C"`), which ids and hashes need.

/// A change of the tables.
pub(crate) struct Migration {
    pub(crate) sql: &'static str,
    /// The oldest version of the program (its number of migrations) that may still write after this
    /// one. A migration that only adds something does not raise it, so that nodes can be upgraded
    /// one by one.
    pub(crate) oldest: i64,
}

/// Migration `i` leads from version `i` to version `i + 1`. A released migration never changes.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { sql: FIRST, oldest: 1 },
    Migration { sql: SEEKS, oldest: 1 },
    // An older program would not count public games separately.
    Migration { sql: OWNERS, oldest: 3 },
    Migration { sql: ANALYSES, oldest: 3 },
    Migration { sql: PASSES, oldest: 3 },
];

/// A program that does not know passes can still write.
const PASSES: &str = r"
CREATE TABLE passes (
  hash bytea PRIMARY KEY,
  sealed bytea NOT NULL,
  expires bigint NOT NULL
);
CREATE INDEX passes_expires ON passes (expires);
CREATE INDEX notes_holder ON notes (holder);
";

/// Separate counters for public games; tags and notes by their author.
const OWNERS: &str = r#"
DROP INDEX games_white;
DROP INDEX games_black;
CREATE INDEX games_white ON games (white, at, n, result, status, black, visibility);
CREATE INDEX games_black ON games (black, at, n, result, status, white, visibility);

CREATE TABLE shown (LIKE players INCLUDING INDEXES) WITH (fillfactor = 80);
INSERT INTO shown
  SELECT id, count(*), count(*) FILTER (WHERE white AND result = 0),
    count(*) FILTER (WHERE white AND result = 1), count(*) FILTER (WHERE white AND result = 2),
    count(*) FILTER (WHERE white AND result = 3), count(*) FILTER (WHERE NOT white AND result = 2),
    count(*) FILTER (WHERE NOT white AND result = 1),
    count(*) FILTER (WHERE NOT white AND result = 0),
    count(*) FILTER (WHERE NOT white AND result = 3)
  FROM (SELECT white AS id, true AS white, result FROM games WHERE status = 1 AND visibility = 0
    UNION ALL SELECT black, false, result FROM games WHERE status = 1 AND visibility = 0) AS seats
  GROUP BY id;
INSERT INTO counts
  SELECT kind, value, count(*) FILTER (WHERE result = 0), count(*) FILTER (WHERE result = 1),
    count(*) FILTER (WHERE result = 2), count(*) FILTER (WHERE result = 3)
  FROM (SELECT g.result, k.kind, k.value FROM games g CROSS JOIN LATERAL (VALUES
      (16::bigint, 0::bigint), (17, coalesce(g.reason, 0)),
      (18, CASE WHEN g.at > -1152921504606846976 THEN
        12 * extract(year FROM to_timestamp(g.at / 1000.0) AT TIME ZONE 'UTC')::bigint
        + extract(month FROM to_timestamp(g.at / 1000.0) AT TIME ZONE 'UTC')::bigint - 1 END),
      (19, coalesce(g.opening, 0)), (20, g.source), (21, g.plies), (22, coalesce(g.event, 0)),
      (23, g.visibility)) AS k(kind, value)
    WHERE g.status = 1 AND g.visibility = 0) AS public
  WHERE value IS NOT NULL GROUP BY kind, value;

ALTER TABLE tags ADD COLUMN holder bytea NOT NULL DEFAULT '';
ALTER TABLE tags DROP CONSTRAINT tags_pkey;
INSERT INTO tags (holder, tag, at, game)
  SELECT s.holder, t.tag, t.at, t.game FROM tags t JOIN seats s USING (game);
DELETE FROM tags WHERE holder = '' AND game IN (SELECT game FROM seats);
ALTER TABLE tags ADD PRIMARY KEY (holder, tag, at, game);
CREATE INDEX tags_tag ON tags (tag, game);

ALTER TABLE notes ADD COLUMN holder bytea NOT NULL DEFAULT '';
ALTER TABLE notes DROP CONSTRAINT notes_pkey;
INSERT INTO notes (holder, game, text, folded, grams)
  SELECT s.holder, n.game, n.text, n.folded, n.grams FROM notes n JOIN seats s USING (game);
DELETE FROM notes WHERE holder = '' AND game IN (SELECT game FROM seats);
ALTER TABLE notes ADD PRIMARY KEY (game, holder);
"#;

/// A program that does not know analyses still deletes them with their games.
const ANALYSES: &str = r"
CREATE TABLE analyses (
  game bigint PRIMARY KEY REFERENCES games (n) ON DELETE CASCADE,
  nodes bigint NOT NULL,
  done bigint NOT NULL,
  total bigint NOT NULL,
  at bigint NOT NULL,
  body text NOT NULL
);
";

/// A program that does not know states treats a used or withdrawn invitation as expired.
const SEEKS: &str = r#"
DELETE FROM invitations WHERE expires >= 8640000000000000;
ALTER TABLE invitations ADD COLUMN state bigint NOT NULL DEFAULT 0;
DROP INDEX invitations_expires;
CREATE INDEX invitations_unused ON invitations (expires) WHERE state <> 1;

CREATE TABLE seeks (
  game text COLLATE "C" PRIMARY KEY,
  node text NOT NULL,
  body text NOT NULL,
  holder bytea NOT NULL,
  made bigint NOT NULL
);
CREATE INDEX seeks_made ON seeks (made, game);
"#;

const FIRST: &str = r#"
CREATE TABLE names (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  folded text COLLATE "C" NOT NULL UNIQUE,
  grams text[] COLLATE "C" NOT NULL
);
CREATE INDEX names_grams ON names USING gin (grams);

CREATE TABLE players (
  id bigint PRIMARY KEY,
  games bigint NOT NULL,
  white_wins bigint NOT NULL,
  white_draws bigint NOT NULL,
  white_losses bigint NOT NULL,
  white_open bigint NOT NULL,
  black_wins bigint NOT NULL,
  black_draws bigint NOT NULL,
  black_losses bigint NOT NULL,
  black_open bigint NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX players_games ON players (games DESC, id);

CREATE TABLE words (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  text text COLLATE "C" NOT NULL UNIQUE,
  folded text COLLATE "C" NOT NULL,
  grams text[] COLLATE "C" NOT NULL
);
CREATE INDEX words_grams ON words USING gin (grams);

CREATE TABLE openings (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  eco text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  folded text COLLATE "C" NOT NULL,
  UNIQUE (eco, name)
);

CREATE SEQUENCE games_n;
CREATE TABLE games (
  n bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  ended bigint,
  white bigint NOT NULL,
  black bigint NOT NULL,
  result bigint NOT NULL,
  reason bigint,
  plies bigint NOT NULL,
  over_plies bigint,
  source bigint NOT NULL,
  status bigint NOT NULL,
  visibility bigint NOT NULL,
  variant bigint NOT NULL,
  opening bigint,
  over_opening bigint,
  event bigint,
  time_control bigint,
  deadline bigint,
  wake bigint,
  last_seq bigint NOT NULL,
  hash bytea,
  moves bytea NOT NULL,
  start_fen text,
  final_fen text NOT NULL,
  headers text,
  annotations text
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX games_id ON games (id);
CREATE INDEX games_at ON games (at, n);
CREATE INDEX games_white ON games (white, at, n, result, status, black);
CREATE INDEX games_black ON games (black, at, n, result, status, white);
CREATE INDEX games_result ON games (result, at, n);
CREATE INDEX games_reason ON games (reason, result, at, n) WHERE reason IS NOT NULL;
CREATE INDEX games_opening ON games (over_opening, at, n) WHERE over_opening IS NOT NULL;
CREATE INDEX games_event ON games (event, at, n) WHERE event IS NOT NULL;
CREATE INDEX games_plies ON games (over_plies, at, n) WHERE over_plies IS NOT NULL;
CREATE INDEX games_source ON games (source, at, n);
CREATE INDEX games_status ON games (status, at, n) WHERE status <> 1;
CREATE INDEX games_unfinished ON games (at, n) WHERE status <> 1;
CREATE INDEX games_visibility ON games (visibility, at, n);
CREATE INDEX games_open ON games (visibility, status, at, n) WHERE status <> 1;
CREATE INDEX games_hash ON games (hash) WHERE hash IS NOT NULL;

CREATE TABLE wakes (game bigint PRIMARY KEY, wake bigint NOT NULL);
CREATE INDEX wakes_wake ON wakes (wake);

CREATE TABLE events (
  game bigint NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  client text COLLATE "C",
  body text NOT NULL,
  PRIMARY KEY (game, seq)
);

CREATE TABLE tags (
  tag text COLLATE "C" NOT NULL, at bigint NOT NULL, game bigint NOT NULL,
  PRIMARY KEY (tag, at, game)
);
CREATE INDEX tags_game ON tags (game);

CREATE TABLE notes (
  game bigint PRIMARY KEY, text text NOT NULL, folded text NOT NULL,
  grams text[] COLLATE "C" NOT NULL
);
CREATE INDEX notes_grams ON notes USING gin (grams);

CREATE TABLE counts (
  kind bigint NOT NULL,
  value bigint NOT NULL,
  white bigint NOT NULL,
  draws bigint NOT NULL,
  black bigint NOT NULL,
  open bigint NOT NULL,
  PRIMARY KEY (kind, value)
) WITH (fillfactor = 70);

CREATE TABLE pending (
  kind bigint NOT NULL,
  value bigint NOT NULL,
  c0 bigint NOT NULL, c1 bigint NOT NULL, c2 bigint NOT NULL, c3 bigint NOT NULL,
  c4 bigint NOT NULL, c5 bigint NOT NULL, c6 bigint NOT NULL, c7 bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX pending_kind ON pending (kind, value);

CREATE TABLE seats (
  holder bytea NOT NULL, at bigint NOT NULL, game bigint NOT NULL, side bigint NOT NULL,
  PRIMARY KEY (holder, at, game)
);
CREATE INDEX seats_game ON seats (game);

CREATE TABLE invitations (
  hash bytea NOT NULL UNIQUE,
  game text COLLATE "C" NOT NULL UNIQUE,
  body text NOT NULL,
  holder bytea NOT NULL,
  made bigint NOT NULL,
  expires bigint NOT NULL
);
CREATE INDEX invitations_holder ON invitations (holder, expires);
CREATE INDEX invitations_expires ON invitations (expires);

CREATE TABLE beats (node text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
CREATE INDEX beats_at ON beats (at);

CREATE TABLE imports (
  key text COLLATE "C" PRIMARY KEY,
  seen bigint NOT NULL,
  added bigint NOT NULL,
  duplicates bigint NOT NULL,
  broken bigint NOT NULL,
  finished boolean NOT NULL
);
"#;

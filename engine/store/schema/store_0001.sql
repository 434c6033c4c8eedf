-- Times are wall-clock nanoseconds since 1970; 0 means not yet. `run` in other tables is run.number.
CREATE TABLE run (
  number           INTEGER PRIMARY KEY AUTOINCREMENT,
  id               TEXT NOT NULL UNIQUE,
  name             TEXT NOT NULL,
  experiment_name  TEXT NOT NULL,
  variant          TEXT NOT NULL,
  run_group        TEXT NOT NULL,
  experiment_text  TEXT NOT NULL,
  plan_text        TEXT NOT NULL,
  command_text     TEXT NOT NULL,
  environment_text TEXT NOT NULL,
  source_revision  TEXT NOT NULL,
  seed             INTEGER NOT NULL,  -- the 64 bits of an unsigned number
  ranks            INTEGER NOT NULL,
  device           TEXT NOT NULL,
  colour_slot      INTEGER NOT NULL,
  state            TEXT NOT NULL,
  why              TEXT NOT NULL DEFAULT '',
  attempt          INTEGER NOT NULL DEFAULT 0,
  stop_request     INTEGER NOT NULL DEFAULT 0,
  created_at       INTEGER NOT NULL,
  started_at       INTEGER NOT NULL DEFAULT 0,
  ended_at         INTEGER NOT NULL DEFAULT 0,
  supervisor_pid   INTEGER NOT NULL DEFAULT 0,
  supervisor_start INTEGER NOT NULL DEFAULT 0,
  supervisor_boot  TEXT NOT NULL DEFAULT '',
  supervisor_host  TEXT NOT NULL DEFAULT ''
);

CREATE TABLE attempt (
  run        INTEGER NOT NULL REFERENCES run(number),
  attempt    INTEGER NOT NULL,
  from_step  INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  PRIMARY KEY (run, attempt)
) WITHOUT ROWID;

CREATE TABLE event (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  run     INTEGER NOT NULL REFERENCES run(number),
  wall    INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  rank    INTEGER NOT NULL,
  level   INTEGER NOT NULL,
  code    TEXT NOT NULL,
  text    TEXT NOT NULL
);
CREATE INDEX event_of_run ON event (run, number);

CREATE TABLE memory (
  run      INTEGER NOT NULL REFERENCES run(number),
  rank     INTEGER NOT NULL,
  category TEXT NOT NULL,
  bytes    INTEGER NOT NULL,
  PRIMARY KEY (run, rank, category)
) WITHOUT ROWID;

CREATE TABLE checkpoint (
  run       INTEGER NOT NULL REFERENCES run(number),
  step      INTEGER NOT NULL,
  attempt   INTEGER NOT NULL,
  full      INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  new_bytes INTEGER NOT NULL,
  wall      INTEGER NOT NULL,
  PRIMARY KEY (run, step)
) WITHOUT ROWID;

-- Metrics as they arrive: one encoded MetricBlock a row. They wait here until they fill chunks.
CREATE TABLE tail (
  number   INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL REFERENCES run(number),
  attempt  INTEGER NOT NULL,
  rank     INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  steps    INTEGER NOT NULL,
  payload  BLOB NOT NULL
);
CREATE UNIQUE INDEX tail_of_rank ON tail (run, attempt, rank, sequence);

-- Sequences that have left the tail for chunks, as closed ranges: a block that comes again is still known.
CREATE TABLE folded (
  run     INTEGER NOT NULL REFERENCES run(number),
  attempt INTEGER NOT NULL,
  rank    INTEGER NOT NULL,
  first   INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  PRIMARY KEY (run, attempt, rank, first)
) WITHOUT ROWID;

CREATE TABLE series (
  number  INTEGER PRIMARY KEY,
  run     INTEGER NOT NULL REFERENCES run(number),
  name    TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  rank    INTEGER NOT NULL,
  UNIQUE (run, name, attempt, rank)
);

-- About 1,024 samples of one series, encoded by series_chunk.cpp.
CREATE TABLE chunk (
  number  INTEGER PRIMARY KEY,
  series  INTEGER NOT NULL REFERENCES series(number),
  position INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  data    BLOB NOT NULL
);
CREATE UNIQUE INDEX chunk_of_series ON chunk (series, position);

-- A study: a question, frozen before its first run, and the cells that answer it. Every cell is here before any starts.
CREATE TABLE study (
  number           INTEGER PRIMARY KEY AUTOINCREMENT,
  name             TEXT NOT NULL UNIQUE,
  frozen_text      TEXT NOT NULL,     -- the study and its base experiment, as they were
  frozen_hash      TEXT NOT NULL,     -- SHA-256 of frozen_text
  file             TEXT NOT NULL,     -- where the study was read from
  state            TEXT NOT NULL,
  why              TEXT NOT NULL DEFAULT '',
  created_at       INTEGER NOT NULL,
  supervisor_pid   INTEGER NOT NULL DEFAULT 0,
  supervisor_start INTEGER NOT NULL DEFAULT 0,
  supervisor_boot  TEXT NOT NULL DEFAULT '',
  supervisor_host  TEXT NOT NULL DEFAULT ''
);

-- `run` is the id of a run, which may have been deleted since; empty: none was begun. Loads in hundredths, -1: unknown.
CREATE TABLE study_cell (
  study       INTEGER NOT NULL REFERENCES study(number),
  cell        INTEGER NOT NULL,
  round       INTEGER NOT NULL,
  variant     TEXT NOT NULL,
  factors     TEXT NOT NULL,
  pair        INTEGER NOT NULL,       -- cells of one pair are compared; the 64 bits of an unsigned number, as seed
  seed        INTEGER NOT NULL,
  trial       INTEGER NOT NULL,       -- of tuning; 0: measured
  settings    TEXT NOT NULL DEFAULT '',
  run         TEXT NOT NULL DEFAULT '',
  why         TEXT NOT NULL DEFAULT '',
  started_at  INTEGER NOT NULL DEFAULT 0,
  load_before INTEGER NOT NULL DEFAULT -1,
  load_after  INTEGER NOT NULL DEFAULT -1,
  PRIMARY KEY (study, cell)
) WITHOUT ROWID;
CREATE INDEX cell_of_run ON study_cell (run) WHERE run <> '';

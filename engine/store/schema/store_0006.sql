-- Names the store itself, for whoever holds copies of its runs.
CREATE TABLE identity (
  id TEXT NOT NULL
);
INSERT INTO identity SELECT lower(hex(randomblob(16)));

-- Machines whose runs this store holds copies of.
CREATE TABLE remote (
  name     TEXT PRIMARY KEY,
  store    TEXT NOT NULL,     -- identity of the store there
  heard_at INTEGER NOT NULL   -- when it was last heard of
) WITHOUT ROWID;

-- Runs that are copies, and how far each has come.
CREATE TABLE replica (
  run      INTEGER PRIMARY KEY REFERENCES run(number),
  remote   TEXT NOT NULL,
  position TEXT NOT NULL,     -- replica_source.cpp makes and reads it
  complete INTEGER NOT NULL   -- 0: more of it was there than has come
);

-- Copies come when they come; runs are listed by the time of their launch.
CREATE INDEX run_by_age ON run (created_at, number);

-- Every write is one transaction a checkpoint, so a row in `checkpoint` means that all of it is there.
CREATE TABLE checkpoint (
  step     INTEGER PRIMARY KEY,
  attempt  INTEGER NOT NULL,
  full     INTEGER NOT NULL,
  progress TEXT NOT NULL
);

CREATE TABLE tensor (
  step     INTEGER NOT NULL REFERENCES checkpoint(step),
  position INTEGER NOT NULL,
  name     TEXT NOT NULL,
  dtype    TEXT NOT NULL,
  shape    TEXT NOT NULL,     -- numbers with commas between; empty for a scalar
  shard    INTEGER NOT NULL,
  hash     TEXT NOT NULL REFERENCES blob(hash),
  PRIMARY KEY (step, position)
) WITHOUT ROWID;
CREATE INDEX tensor_by_hash ON tensor (hash);

CREATE TABLE blob (
  hash  TEXT PRIMARY KEY,     -- sha256 of the bytes, in hexadecimal
  bytes INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE part (
  number   INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL,
  position INTEGER NOT NULL,
  crc      INTEGER NOT NULL,  -- CRC-32C of data
  data     BLOB NOT NULL
);
CREATE UNIQUE INDEX part_of_blob ON part (hash, position);

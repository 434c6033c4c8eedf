-- Beside checkpoints, which a run continues from, snapshots: trainable weights alone, for a later stage of the run to
-- read. Both may stand at the same step.
CREATE TABLE kept (
  step     INTEGER NOT NULL,
  snapshot INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  full     INTEGER NOT NULL,
  progress TEXT NOT NULL,
  PRIMARY KEY (step, snapshot)
) WITHOUT ROWID;
INSERT INTO kept SELECT step, 0, attempt, full, progress FROM checkpoint;

CREATE TABLE kept_tensor (
  step     INTEGER NOT NULL,
  snapshot INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name     TEXT NOT NULL,
  dtype    TEXT NOT NULL,
  shape    TEXT NOT NULL,     -- numbers with commas between; empty for a scalar
  shard    INTEGER NOT NULL,
  hash     TEXT NOT NULL REFERENCES blob(hash),
  PRIMARY KEY (step, snapshot, position),
  FOREIGN KEY (step, snapshot) REFERENCES kept(step, snapshot)
) WITHOUT ROWID;
INSERT INTO kept_tensor SELECT step, 0, position, name, dtype, shape, shard, hash FROM tensor;

DROP TABLE tensor;
DROP TABLE checkpoint;
ALTER TABLE kept RENAME TO checkpoint;
ALTER TABLE kept_tensor RENAME TO tensor;
CREATE INDEX tensor_by_hash ON tensor (hash);

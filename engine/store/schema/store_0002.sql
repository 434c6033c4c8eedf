-- What people say of a run; the run itself never changes.
CREATE TABLE label (
  run      INTEGER PRIMARY KEY REFERENCES run(number),
  title    TEXT NOT NULL,     -- instead of its name; empty: as it was named
  note     TEXT NOT NULL,
  tags     TEXT NOT NULL,     -- one a line
  pinned   INTEGER NOT NULL,
  archived INTEGER NOT NULL
);

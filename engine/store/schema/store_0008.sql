-- Which trial of tuning counts for a variant where these factors hold. It is decided once, when all of its trials have ended, and stays whatever
-- becomes of their runs.
CREATE TABLE study_choice (
  study   INTEGER NOT NULL REFERENCES study(number),
  variant TEXT NOT NULL,
  factors TEXT NOT NULL,
  trial   INTEGER NOT NULL,
  PRIMARY KEY (study, variant, factors)
) WITHOUT ROWID;

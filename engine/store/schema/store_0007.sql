-- What ended runs came to, kept for whoever reads the database itself: series are packed, and SQL cannot unpack them.
ALTER TABLE run ADD COLUMN measured INTEGER NOT NULL DEFAULT 0;  -- 1: `measure` is of the run as it is now
CREATE INDEX unmeasured_run ON run (number)
  WHERE measured = 0 AND state IN ('done', 'failed', 'stopped', 'lost');
CREATE TABLE measure (
  run   INTEGER NOT NULL REFERENCES run(number),
  stage TEXT NOT NULL,
  name  TEXT NOT NULL,
  value REAL,               -- NULL: not a number
  PRIMARY KEY (run, stage, name)
) WITHOUT ROWID;

-- What the views show of plans. Functions on JSON are not for views: some builds of SQLite refuse them there.
ALTER TABLE run ADD COLUMN imported_from TEXT NOT NULL DEFAULT '';  -- empty: it was trained by slipstream
CREATE TABLE stage (
  run             INTEGER NOT NULL REFERENCES run(number),
  position        INTEGER NOT NULL,
  name            TEXT NOT NULL,
  starts_from     TEXT NOT NULL,  -- an earlier stage; empty: none
  first_step      INTEGER,        -- NULL: the plan does not say
  end_step        INTEGER,
  steps_per_epoch INTEGER,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;
INSERT INTO stage
SELECT run.number, stage.key, ifnull(json_extract(stage.value, '$.name'), ''),
  ifnull(json_extract(stage.value, '$.start.stage'), ''), json_extract(stage.value, '$.first_step'),
  json_extract(stage.value, '$.end_step'), json_extract(stage.value, '$.steps_per_epoch')
FROM run JOIN json_each(CASE WHEN json_valid(plan_text) THEN plan_text ELSE '{}' END, '$.stages') AS stage;
INSERT INTO stage
SELECT number, 0, 'train', '', 0, json_extract(plan, '$.total_steps'), json_extract(plan, '$.steps_per_epoch')
FROM (SELECT number, CASE WHEN json_valid(plan_text) THEN plan_text ELSE '{}' END AS plan FROM run)
WHERE number NOT IN (SELECT run FROM stage);

-- The views are an interface: resources/docs/data.md describes them. A column is added under the same version; one
-- that goes, or comes to mean something else, is a new version.
CREATE VIEW v_version AS SELECT 1 AS version;

CREATE VIEW v_run AS
SELECT run.id AS run,
  CASE WHEN ifnull(label.title, '') = '' THEN run.name ELSE label.title END AS name,
  run.experiment_name AS experiment,
  run.variant AS variant,
  run.run_group AS launch,
  run.state AS state,
  run.why AS why,
  CASE WHEN run.seed >= 0 THEN run.seed ELSE printf('%llu', run.seed) END AS seed,
  run.ranks AS ranks,
  run.device AS device,
  run.attempt AS attempt,
  (SELECT max(end_step) FROM stage WHERE stage.run = run.number) AS total_steps,
  CASE WHEN run.created_at > 0 THEN strftime('%Y-%m-%dT%H:%M:%S', run.created_at / 1000000000, 'unixepoch')
    || printf('.%06dZ', run.created_at / 1000 % 1000000) END AS created,
  CASE WHEN run.started_at > 0 THEN strftime('%Y-%m-%dT%H:%M:%S', run.started_at / 1000000000, 'unixepoch')
    || printf('.%06dZ', run.started_at / 1000 % 1000000) END AS started,
  CASE WHEN run.ended_at > 0 THEN strftime('%Y-%m-%dT%H:%M:%S', run.ended_at / 1000000000, 'unixepoch')
    || printf('.%06dZ', run.ended_at / 1000 % 1000000) END AS ended,
  run.source_revision AS revision,
  run.command_text AS command,
  ifnull(replica.remote, '') AS copy_of,
  run.imported_from AS imported_from,
  replace(ifnull(label.tags, ''), char(10), ',') AS tags,
  ifnull(label.note, '') AS note,
  ifnull(label.pinned, 0) AS pinned,
  ifnull(label.archived, 0) AS archived
FROM run LEFT JOIN label ON label.run = run.number LEFT JOIN replica ON replica.run = run.number;

CREATE VIEW v_stage AS
SELECT run.id AS run, stage.position AS position, stage.name AS stage, stage.starts_from AS starts_from,
  stage.first_step AS first_step, stage.end_step AS end_step, stage.steps_per_epoch AS steps_per_epoch
FROM stage JOIN run ON run.number = stage.run;

CREATE VIEW v_measure AS
SELECT run.id AS run, measure.stage AS stage, measure.name AS measure, measure.value AS value
FROM measure JOIN run ON run.number = measure.run WHERE run.measured = 1;

CREATE VIEW v_event AS
SELECT run.id AS run,
  event.number AS number,
  strftime('%Y-%m-%dT%H:%M:%S', event.wall / 1000000000, 'unixepoch')
    || printf('.%06dZ', event.wall / 1000 % 1000000) AS time,
  event.attempt AS attempt,
  CASE WHEN event.rank >= 0 THEN event.rank END AS rank,
  CASE event.level WHEN 0 THEN 'information' WHEN 1 THEN 'warning' ELSE 'error' END AS level,
  event.code AS code,
  event.text AS text
FROM event JOIN run ON run.number = event.run;

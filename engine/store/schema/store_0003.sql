-- A store may hold ten thousand runs, and few of them are alive or of one launch: what looks for those reads no others.
CREATE INDEX living_run ON run (number) WHERE state NOT IN ('done', 'failed', 'stopped', 'lost');
CREATE INDEX run_of_group ON run (run_group, number) WHERE run_group <> '';

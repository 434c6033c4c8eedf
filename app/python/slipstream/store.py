# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a run store to read it, through the views that it keeps for other programs (resources/docs/data.md)."""

import contextlib
import json
import os
import pathlib
import sqlite3
import urllib.parse

from .series import SeriesReader

_APPLICATION_ID = 0x534C5053
_VIEWS = 1


class StoreError(Exception):
    """A store cannot be opened, or has no such run; the message says what to do."""


def default_folder():
    """The store that the command line uses: SLIPSTREAM_STORE, else the user's data folder."""
    named = os.environ.get("SLIPSTREAM_STORE")
    if named:
        return pathlib.Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (pathlib.Path(data) if data else pathlib.Path.home() / ".local" / "share") / "slipstream"


def open(folder=None, timeout=5.0):
    """Opens the store in `folder` (else default_folder()) to read it; runs may go on writing.

    `timeout`: seconds that a query waits for the locks of other programs.
    """
    return Store(default_folder() if folder is None else folder, timeout)


def _connect(file, timeout, options):
    uri = "file://" + urllib.parse.quote(str(file.resolve())) + "?" + options
    connection = sqlite3.connect(uri, timeout, uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(file, timeout):
    """In a folder that may not be written to, the file is read as it lies, if no writer has left anything beside it."""
    try:
        return _connect(file, timeout, "mode=ro")
    except sqlite3.OperationalError:
        log = file.with_name(file.name + "-wal")
        if os.access(file.parent, os.W_OK) or (log.exists() and log.stat().st_size > 0):
            raise
        return _connect(file, timeout, "mode=ro&immutable=1")


class Store:
    """A run store. What it gives is a copy of one moment: ask again for what has come since."""

    def __init__(self, folder, timeout=5.0):
        self.folder = pathlib.Path(folder)
        file = self.folder / "store.db"
        if not file.is_file():
            raise StoreError("%s: there is no run store here; name the folder of one, or set SLIPSTREAM_STORE" % file)
        try:
            self._connection = _connect_to_read(file, timeout)
            self._check(file)
        except sqlite3.DatabaseError as error:
            raise StoreError("%s: cannot be read as a run store: %s" % (file, error)) from error

    def _check(self, file):
        if self._connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
            raise StoreError("%s: is not a run store of slipstream" % file)
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'v_version'").fetchone():
            raise StoreError("%s: was written by an older slipstream; 'slipstream runs' brings it up to date" % file)
        version = self._connection.execute("SELECT version FROM v_version").fetchone()[0]
        if version != _VIEWS:
            raise StoreError("%s: has views of version %s, and this reader knows %d: use the reader of that slipstream"
                             % (file, version, _VIEWS))

    def close(self):
        self._connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    @contextlib.contextmanager
    def _moment(self):
        """Queries inside see the same moment."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def sql(self, query, *values):
        """The rows of a query as dictionaries, for instance of the views v_run, v_stage, v_measure and v_event."""
        rows = self._connection.execute(query, values)
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row)) for row in rows]

    def runs(self, where="1", *values):
        """The runs, oldest first; `where` is a condition on the columns of v_run: store.runs("variant = ?", "adasum")."""
        rows = self.sql("SELECT * FROM v_run WHERE (%s) ORDER BY created, run" % where, *values)
        return [Run(self, row) for row in rows]

    def run(self, name):
        """The run of an id, or of the beginning of one; "last" is the newest."""
        if name == "last":
            found = self.sql("SELECT * FROM v_run ORDER BY created DESC, run DESC LIMIT 1")
        else:
            found = self.sql("SELECT * FROM v_run WHERE substr(run, 1, length(?1)) = ?1", str(name))
        if len(found) != 1 or not name:
            raise StoreError("%s: %s run of the store has an id that begins so" % (name, "more than one" if found else "no"))
        return Run(self, found[0])


class Run:
    """A run as it was when it was asked for. It has the columns of v_run as attributes; `id` is the column `run`."""

    def __init__(self, store, row):
        self._store = store
        self._facts = dict(row)
        self.id = self._facts.pop("run")

    def __getattr__(self, name):
        facts = self.__dict__.get("_facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError("a run has no %r; it has id, %s" % (name, ", ".join(facts)))

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._facts))

    def __repr__(self):
        return "Run(%s, %s)" % (self.id, self.state)

    def facts(self):
        """The columns of v_run as a dictionary."""
        return {"run": self.id, **self._facts}

    def _reader(self):
        row = self._store._connection.execute("SELECT number FROM run WHERE id = ?", (self.id,)).fetchone()
        if row is None:
            raise StoreError("run %s has been deleted" % self.id)
        return SeriesReader(self._store._connection, row[0], self.id)

    def metrics(self):
        """Names of the metrics that the run has reported."""
        with self._store._moment():
            return self._reader().names()

    def series(self, metric, rank=None):
        """One metric over the steps, as `slipstream metrics` gives it: the mean over ranks, newer attempts counting.

        With `rank`, that rank's own values. Empty where the run has no such metric.
        """
        with self._store._moment():
            return self._reader().read(metric, rank)

    def measures(self):
        """What the run came to, once it has ended: stage -> measure -> value."""
        measures = {}
        for row in self._store.sql("SELECT stage, measure, value FROM v_measure WHERE run = ?", self.id):
            value = float("nan") if row["value"] is None else row["value"]
            measures.setdefault(row["stage"], {})[row["measure"]] = value
        return measures

    def stages(self):
        """The stages in order, as dictionaries of v_stage's columns."""
        return self._store.sql("SELECT * FROM v_stage WHERE run = ? ORDER BY position", self.id)

    def events(self):
        """What happened, in order, as dictionaries of v_event's columns."""
        return self._store.sql("SELECT * FROM v_event WHERE run = ? ORDER BY number", self.id)

    def plan(self):
        """All that was decided about the run before it started, as `slipstream plan --json` names it."""
        row = self._store._connection.execute("SELECT plan_text FROM run WHERE id = ?", (self.id,)).fetchone()
        return json.loads(row[0]) if row else {}

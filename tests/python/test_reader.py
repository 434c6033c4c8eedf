# SPDX-License-Identifier: GPL-3.0-or-later
"""The reader against `slipstream metrics`, bit for bit: while a run writes, after it was resumed, and at its end."""

import os
import pathlib
import sqlite3
import struct
import subprocess
import unittest

import slipstream
from sandbox import Sandbox, small_experiment


def bits(points):
    """Steps and the bits of values: NaN is equal to itself, and 0 is not -0."""
    return [(step, struct.pack("<d", value)) for step, value in points]


class ReaderTest(Sandbox):
    def assert_same(self, run):
        printed = self.metrics(run.id)
        self.assertEqual(sorted(printed), run.metrics())
        self.assertGreater(len(printed), 5)
        for metric, points in printed.items():
            self.assertEqual(bits(run.series(metric)), bits(points), metric)

    def test_a_run_while_it_writes(self):
        experiment = self.write("long.json", small_experiment(10_000_000, 0))
        running = subprocess.Popen(self.command("run", experiment, "--quiet"), cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(running.wait)
        self.addCleanup(running.terminate)
        lengths = []
        while len(lengths) < 4:
            self.assertIsNone(running.poll(), "the run ended by itself")
            try:
                store = slipstream.open(self.store)
                run = store.run("last")
            except slipstream.StoreError:
                continue  # it has not made its store yet
            before = bits(run.series("loss"))
            if len(before) < 10:
                continue
            printed = bits(self.metrics(run.id, "loss")["loss"])
            after = bits(run.series("loss"))
            # A series of a run that goes on only grows: what is printed lies between what was read.
            self.assertEqual(printed[:len(before)], before)
            self.assertEqual(after[:len(printed)], printed)
            self.assertEqual(store.run(run.id).state, "running")
            if not lengths or len(printed) > lengths[-1]:
                lengths.append(len(printed))
            store.close()
        self.slipstream("stop", "last")
        running.wait()
        run = slipstream.open(self.store).run("last")
        self.assertEqual(run.state, "stopped")
        self.assert_same(run)

    def test_a_run_that_was_resumed_from_an_earlier_step(self):
        self.slipstream("run", self.write("brief.json", small_experiment(60, 20)), "--quiet")
        self.slipstream("resume", "last", "--from", "20", "--quiet")
        run = slipstream.open(self.store).run("last")
        self.assertEqual(run.attempt, 2)
        self.assert_same(run)
        self.assertEqual(list(run.series("loss").steps), list(range(60)))
        ranks = [run.series("loss", rank=rank).values for rank in range(2)]
        mean = [(a + b) / 2 for a, b in zip(*ranks)]
        self.assertEqual(mean, list(run.series("loss").values))
        self.assertEqual(len(run.series("no such metric")), 0)

        printed = self.json("runs")[0]
        self.assertEqual(run.measures()["train"]["accuracy"], printed["accuracy"])
        self.assertEqual(run.measures()["train"]["final_loss"], printed["loss"])
        self.assertEqual(run.measures()["train"]["steps"], 60)
        self.assertEqual([stage["stage"] for stage in run.stages()], ["train"])
        self.assertIn("run.done", [event["code"] for event in run.events()])
        self.assertEqual(run.plan()["total_steps"], 60)
        self.assertEqual((run.seed, run.ranks, run.total_steps), (3, 2, 60))

    def test_runs_are_found_and_named(self):
        file = self.write("brief.json", small_experiment(3, 0))
        for seed in (1, 2):
            self.slipstream("run", file, "--set", "seed=%d" % seed, "--quiet")
        store = slipstream.open(self.store)
        self.assertEqual([run.seed for run in store.runs()], [1, 2])
        self.assertEqual([run.seed for run in store.runs("seed > ?", 1)], [2])
        self.slipstream("rename", "last", "the second")
        self.slipstream("tag", "paper", "last")
        run = store.run("last")
        self.assertEqual((run.name, run.tags), ("the second", "paper"))
        self.assertEqual(store.run(run.id[:7]).id, run.id)
        self.assertEqual(store.sql("SELECT count(*) AS runs FROM v_run"), [{"runs": 2}])
        self.assertRaises(AttributeError, lambda: run.nothing)
        self.assertRaises(slipstream.StoreError, store.run, "xyz")
        self.assertRaises(slipstream.StoreError, store.run, "")

    def test_nothing_is_written(self):
        self.slipstream("run", self.write("brief.json", small_experiment(3, 0)), "--quiet")
        store = slipstream.open(self.store)
        self.assertRaises(sqlite3.OperationalError, store.sql, "DELETE FROM run")
        self.assertRaises(sqlite3.OperationalError, store.sql, "PRAGMA user_version = 99")
        self.assertEqual(len(store.runs()), 1)

    def test_what_is_no_store_is_refused(self):
        self.assertRaisesRegex(slipstream.StoreError, "no run store", slipstream.open, self.folder)
        self.store.mkdir()
        (self.store / "store.db").write_bytes(b"no database at all, but long enough to look at" * 10)
        self.assertRaisesRegex(slipstream.StoreError, "cannot be read", slipstream.open, self.store)
        (self.store / "store.db").unlink()
        with sqlite3.connect(self.store / "store.db") as other:
            other.execute("CREATE TABLE x (y)")
        other.close()
        self.assertRaisesRegex(slipstream.StoreError, "is not a run store", slipstream.open, self.store)
        with sqlite3.connect(self.store / "store.db") as other:
            other.execute("PRAGMA application_id = %d" % 0x534C5053)
        other.close()
        self.assertRaisesRegex(slipstream.StoreError, "older slipstream", slipstream.open, self.store)
        with sqlite3.connect(self.store / "store.db") as other:
            other.execute("CREATE VIEW v_version AS SELECT 2 AS version")
        other.close()
        self.assertRaisesRegex(slipstream.StoreError, "views of version 2", slipstream.open, self.store)

    def test_the_folder_that_the_command_line_uses(self):
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        os.environ.pop("SLIPSTREAM_STORE", None)
        os.environ["XDG_DATA_HOME"] = str(self.folder)
        self.assertEqual(slipstream.default_folder(), self.folder / "slipstream")
        os.environ["SLIPSTREAM_STORE"] = str(self.folder / "named")
        self.assertEqual(slipstream.default_folder(), pathlib.Path(self.folder / "named"))
        os.environ.pop("SLIPSTREAM_STORE")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What is exported, read by readers that were written from the formats alone, against `slipstream metrics`."""

import csv
import pathlib
import struct
import unittest

import event_files
from sandbox import Sandbox, small_experiment


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class ExportTest(Sandbox):
    def setUp(self):
        super().setUp()
        experiment = small_experiment(40, 0)
        adasum = {"boost": {"mode": "manual", "adasum": True}, "adasum": {"mode": "gradients"}}
        experiment["variants"] = [{"name": "mean", "boost": {"level": "O0"}},
                                  {"name": "adasum", "boost": {"level": "O2", "dictionary": adasum}}]
        self.slipstream("run", self.write("two.json", experiment), "--quiet")
        self.runs = self.json("runs")
        self.assertEqual([run["variant"] for run in self.runs], ["mean", "adasum"])

    def places(self, form):
        exported = self.json("export", "small", "--format", form, "-o", self.folder / form)
        self.assertEqual([run["run"] for run in exported["runs"]], [run["run"] for run in self.runs])
        return {run["run"]: pathlib.Path(run["place"]) for run in exported["runs"]}

    def test_tensorboard(self):
        for run, place in self.places("tensorboard").items():
            (file,) = place.iterdir()
            self.assertIn("tfevents", file.name)
            scalars, settings, group, status = event_files.read(file)
            printed = self.metrics(run)
            self.assertEqual(sorted(scalars), sorted(printed))
            for metric, points in printed.items():
                self.assertEqual([(step, value) for step, _, value in scalars[metric]],
                                 [(step, single(value)) for step, value in points], metric)
            shown = next(one for one in self.runs if one["run"] == run)
            self.assertEqual((settings["variant"], settings["seed"], settings["parallel.ranks"]),
                             (shown["variant"], 3.0, 2.0))
            self.assertIs(settings["boost.boost.adasum"], shown["variant"] == "adasum")
            self.assertEqual(group, "small / " + shown["variant"])
            self.assertEqual(status, 1)

    def test_mlflow(self):
        for run, place in self.places("mlflow").items():
            meta = dict(line.split(": ", 1) for line in (place / "meta.yaml").read_text().splitlines())
            self.assertEqual(meta["status"], "3")
            self.assertEqual(meta["run_id"], "'%s'" % place.name)
            self.assertEqual(meta["experiment_id"], "'%s'" % place.parent.name)
            self.assertLessEqual(int(meta["start_time"]), int(meta["end_time"]))
            printed = self.metrics(run)
            files = [file for file in (place / "metrics").rglob("*") if file.is_file()]
            self.assertEqual(sorted(str(file.relative_to(place / "metrics")) for file in files), sorted(printed))
            for metric, points in printed.items():
                lines = [line.split() for line in (place / "metrics" / metric).read_text().splitlines()]
                self.assertEqual([(int(step), float(value)) for _, value, step in lines], points, metric)
            self.assertEqual((place / "params" / "seed").read_text(), "3")
            self.assertEqual((place / "tags" / "slipstream.run").read_text(), run)

    def test_csv(self):
        (folder,) = set(self.places("csv").values())
        with (folder / "metrics.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        for run in self.runs:
            for metric, points in self.metrics(run["run"]).items():
                self.assertEqual([(int(row["step"]), float(row["value"])) for row in rows
                                  if row["run"] == run["run"] and row["metric"] == metric], points, metric)
        with (folder / "runs.csv").open(newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([float(row["loss"]) for row in table], [run["loss"] for run in self.runs])
        self.assertEqual([float(row["accuracy"]) for row in table], [run["accuracy"] for run in self.runs])

    def test_what_was_exported_is_imported_and_compared(self):
        self.places("tensorboard")
        imported = self.json("import", self.folder / "tensorboard")
        self.assertEqual(len(imported["runs"]), 2)
        id_of = {self.json("show", one["run"])["variant"]: one["run"] for one in imported["runs"]}
        own = self.runs[0]
        values = self.metrics(id_of["mean"], "loss")["loss"]
        self.assertEqual(values, [(step, single(value)) for step, value in self.metrics(own["run"], "loss")["loss"]])
        listed = {run["run"]: run for run in self.json("runs")}[id_of["mean"]]
        self.assertEqual((listed["state"], listed["device"], listed["seed"]), ("done", "imported", 3))
        self.assertAlmostEqual(listed["loss"], own["loss"], places=6)
        compared = self.json("compare", own["run"], id_of["mean"])
        self.assertEqual({one["verdict"] for pair in compared["compared"] for one in pair["measures"]},
                         {"no claim (imported)"})
        for words in (("resume", id_of["mean"]), ("verify", id_of["mean"]), ("evaluate", id_of["mean"]),
                      ("checkpoint", "export", id_of["mean"], "w.ckpt")):
            self.slipstream(*words, code=2)
        self.slipstream("import", self.folder / "tensorboard", code=2)
        self.slipstream("delete", id_of["mean"], "--yes")
        self.assertEqual(len(self.json("runs")), 3)


if __name__ == "__main__":
    unittest.main()

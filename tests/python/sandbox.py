# SPDX-License-Identifier: GPL-3.0-or-later
"""A store of its own for each test, and the program as a person uses it."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["SLIPSTREAM_PROGRAM"]


def small_experiment(steps, checkpoint_every):
    """A training of seconds: generated digits, a small network, two ranks."""
    return {
        "name": "small",
        "seed": 3,
        "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 24}, {"type": "relu"},
                               {"type": "dense", "outputs": 10}]},
        "dataset": {"name": "digits", "batch_size": 16, "train_samples": 640, "evaluation_samples": 128},
        "loss": "cross_entropy",
        "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
        "parallel": {"ranks": 2},
        "train": {"steps": steps, "log_every_steps": 1000000,
                  "checkpoint": {"save_checkpoint_steps": checkpoint_every, "keep_checkpoint_max": 3}},
    }


class Sandbox(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slipstream-python-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.store = self.folder / "store"

    def command(self, *words):
        return [PROGRAM, *map(str, words), "--store", str(self.store)]

    def slipstream(self, *words, code=0):
        """Runs the program to its end; its output."""
        ended = subprocess.run(self.command(*words), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, check=False)
        self.assertEqual(ended.returncode, code, "%s\n%s%s" % (words, ended.stdout, ended.stderr))
        return ended.stdout

    def json(self, *words):
        return json.loads(self.slipstream(*words, "--json"))

    def write(self, name, content):
        file = self.folder / name
        file.write_text(json.dumps(content))
        return file

    def metrics(self, run, *names):
        """What `slipstream metrics` prints: metric -> [(step, value)]."""
        words = [word for name in names for word in ("--metric", name)]
        printed = json.loads(self.slipstream("metrics", run, *words, "--format", "json"))
        printed = printed if isinstance(printed, list) else [printed]
        return {one["metric"]: [(step, float(value)) for step, value in one["points"]] for one in printed}

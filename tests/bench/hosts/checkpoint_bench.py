#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a checkpoint of 100 MB of a rank on another host against scp of as many bytes between the same hosts.

    python3 tests/bench/hosts/checkpoint_bench.py build/release/bin --rate 1gbit --repetitions 5

The hosts are namespaces of this machine (tests/hosts/lab, root) with real sshd's. What a checkpoint takes is the
difference of a run that keeps its weights at the end and of one that does not, taken in turn. Prints JSON.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAB = HERE.parent.parent / "hosts" / "lab"
WIDTH = 4730  # 784 x W + W x W + W x 10 weights of four bytes: 105 MB


def call(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, **options)


class Hosts:
    """Two hosts h0 (the head) and h1, with an sshd each."""

    def __init__(self, rate):
        self.folder = Path(f"/run/slipstream-bench-{os.getpid()}")
        self.work = self.folder / "work"
        self.rate = rate

    def __enter__(self):
        call(LAB, "up", self.folder, 1, self.rate, env=dict(os.environ, LAB_SSHD="1"))
        self.work.mkdir()
        self.address = subprocess.check_output([LAB, "address", self.folder, "h1"], text=True).strip()
        return self

    def __exit__(self, *_):
        subprocess.run([LAB, "down", self.folder], check=False)

    def inside(self, host, *words, **options):
        return call(LAB, "in", self.folder, host, *words, **options)


def seconds(action):
    begun = time.monotonic()
    action()
    return time.monotonic() - begun


def run(hosts, programs, keeps):
    environment = dict(os.environ, SLIPSTREAM_SSH=str(hosts.folder / "ssh"), SLIPSTREAM_STORE=str(hosts.work / "store"))
    hosts.inside("h0", programs / "slipstream", "run", hosts.work / "wide.json", "--hosts", f"{hosts.address}:1",
                 "--quiet", "--set", f"train.checkpoint.at_end={str(keeps).lower()}", env=environment,
                 stdout=subprocess.DEVNULL)


def copy(hosts):
    hosts.inside("h0", "scp", "-q", "-O", "-S", hosts.folder / "ssh", f"{hosts.address}:{hosts.work}/bytes",
                 hosts.work / "copy")
    os.sync()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    with Hosts(arguments.rate) as hosts:
        (hosts.work / "wide.json").write_text(json.dumps({
            "network": {"name": "mlp", "hidden": [WIDTH, WIDTH]}, "dataset": {"name": "digits", "train_samples": 64},
            "train": {"steps": 1, "checkpoint": {"weights_only": True}}}))
        size = 4 * (784 * WIDTH + WIDTH * WIDTH + WIDTH * 10 + 2 * WIDTH + 10)
        (hosts.work / "bytes").write_bytes(os.urandom(size))
        taken, copied = [], []
        for _ in range(arguments.repetitions):
            without = seconds(lambda: run(hosts, arguments.programs.resolve(), False))
            taken.append(seconds(lambda: run(hosts, arguments.programs.resolve(), True)) - without)
            copied.append(seconds(lambda: copy(hosts)))
        ours, theirs = statistics.median(taken), statistics.median(copied)
        print(json.dumps({"bytes": size, "rate": arguments.rate, "checkpoint_seconds": ours, "scp_seconds": theirs,
                          "ratio": ours / theirs, "goal": 1.3, "load": os.getloadavg()[0]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

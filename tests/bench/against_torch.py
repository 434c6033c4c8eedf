#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training speed beside PyTorch, in turn, on this machine: every figure that the README names, in one table.

    PYTHON tests/bench/against_torch.py [--rows NAME,NAME] [--pairs N] [--list]

PYTHON has PyTorch: a virtual environment with `pip install torch`, or Debian's python3-torch. Small networks are trained
by `slipstream run`, launch and recording as users get them, ResNet-50 by bench_resnet with the environment of a run;
PyTorch's side is torch_training.py, with the same number of threads. A pair is one of ours and one of theirs, taken
right after each other; the ratio of a row is the median of those of its pairs. The GPT is the example of
experiments/own_network: its one rank exchanges nothing, and says what the step of a program costs. A row "beside" has a
busy process beside both sides; rows "tuned" give PyTorch what its tuning guide asks for: jemalloc (Debian: libjemalloc2) and transparent
huge pages.
"""

import argparse
import ctypes.util
import dataclasses
import json
import os
import pathlib
import platform
import socket
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
PROGRAMS = PROJECT / "build/release/bin"
WARM_UP = 0.2  # of a run's steps


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    network: str
    batch: int
    threads: int
    goal: float
    steps: int  # of ours
    torch_steps: int
    ranks: int = 1
    form: str = "eager"
    precision: str = "fp32"
    beside: bool = False
    tuned: bool = False
    always: bool = True


ROWS = [
    Row("mlp", "mlp", 256, 2, 1.4, 600, 400),
    Row("mlp beside", "mlp", 256, 2, 1.0, 500, 400, beside=True),
    Row("mlp 8 ranks", "mlp", 32, 1, 6.0, 300, 100, ranks=8),
    Row("resnet18", "resnet18", 32, 2, 1.4, 60, 40),
    Row("resnet18 beside", "resnet18", 32, 2, 1.0, 50, 40, beside=True),
    Row("resnet50 tuned", "resnet50", 16, 2, 1.2, 3, 3, tuned=True),
    Row("gpt 1 rank", "gpt", 8, 1, 0.97, 300, 300),
    Row("gpt 2 ranks", "gpt", 8, 1, 1.0, 300, 300, ranks=2),
    Row("gpt 4 ranks", "gpt", 8, 1, 1.0, 200, 200, ranks=4),
    Row("mlp compiled", "mlp", 256, 2, 0.0, 600, 400, form="compiled", always=False),
    Row("mlp 2 ranks", "mlp", 128, 1, 0.0, 400, 200, ranks=2, always=False),
    Row("resnet18 compiled", "resnet18", 32, 2, 0.0, 60, 40, form="compiled", always=False),
    Row("resnet18 tuned", "resnet18", 32, 2, 0.0, 60, 40, tuned=True, always=False),
    Row("resnet50", "resnet50", 16, 2, 0.0, 3, 3, always=False),
    Row("resnet50 compiled", "resnet50", 16, 2, 0.0, 3, 3, form="compiled", always=False),
    Row("resnet50 bf16 tuned", "resnet50", 16, 2, 0.0, 5, 5, precision="bf16", tuned=True, always=False),
]


def tuned_environment() -> dict:
    library = ctypes.util.find_library("jemalloc")
    if library is None:
        sys.exit("a tuned row needs jemalloc: apt-get install libjemalloc2")
    return {"LD_PRELOAD": library, "THP_MEM_ALLOC_ENABLE": "1",
            "MALLOC_CONF": "oversize_threshold:1,background_thread:true,metadata_thp:auto,"
                           "dirty_decay_ms:9000000000,muzzy_decay_ms:9000000000"}


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Torch:
    """The processes of PyTorch's side, which wait between blocks of steps."""

    def __init__(self, row: Row):
        environment = dict(os.environ, OMP_NUM_THREADS=str(row.threads))
        if row.ranks > 1:
            environment.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=free_port(), WORLD_SIZE=str(row.ranks),
                               GLOO_SOCKET_IFNAME="lo")
        if row.tuned:
            environment.update(tuned_environment())
        command = [sys.executable, str(HERE / "torch_training.py"), row.network, str(row.batch), str(row.threads),
                   row.form, row.precision]
        self.processes = [
            subprocess.Popen(command, env=dict(environment, **({"RANK": str(rank)} if row.ranks > 1 else {})),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for rank in range(row.ranks)]
        self.versions = self.answer()

    def answer(self) -> dict:
        line = self.processes[0].stdout.readline()
        if not line:
            sys.exit("PyTorch's side ended; what it wrote is above")
        return json.loads(line)

    def run(self, steps: int) -> dict:
        print(steps, file=self.processes[0].stdin, flush=True)
        return self.answer()

    def close(self) -> None:
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            process.wait()


def cifar_like(folder: pathlib.Path) -> None:
    """Files of CIFAR-10's binary version with random pixels: one label and 3,072 bytes a picture."""
    for name, count in (("data_batch_1.bin", 2048), ("test_batch.bin", 32)):
        with open(folder / name, "wb") as file:
            for picture in range(count):
                file.write(bytes([picture % 10]) + os.urandom(3072))


def gpt_experiment(row: Row) -> dict:
    example = PROJECT / "experiments/own_network"
    experiment = json.loads((example / "gpt.json").read_text())
    experiment["network"]["program"] = [sys.executable, str(example / "gpt.py"), str(PROJECT / "LICENSE")]
    experiment["dataset"]["batch_size"] = row.batch
    experiment["parallel"] = {"ranks": row.ranks}
    experiment["train"] = {"steps": row.steps, "log_every_steps": row.steps, "checkpoint": {"at_end": False}}
    return experiment


def experiment_of(row: Row, folder: pathlib.Path) -> dict:
    if row.network == "gpt":
        return gpt_experiment(row)
    dataset = {"name": "digits", "batch_size": row.batch, "train_samples": 8192, "evaluation_samples": 32}
    if row.network == "resnet18":
        cifar_like(folder)
        dataset = {"name": "cifar10", "path": str(folder), "batch_size": row.batch}
    return {"name": row.network, "seed": 1, "network": row.network, "dataset": dataset,
            "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.01},
            "parallel": {"ranks": row.ranks}, "precision": {"amp_level": "O2" if row.precision == "bf16" else "O0"},
            "train": {"steps": row.steps, "log_every_steps": row.steps, "stop_on_invalid_loss": False,
                      "checkpoint": {"at_end": False}}}


class OurRun:
    """`slipstream run`, in a store that goes with the row."""

    def __init__(self, row: Row):
        self.row = row
        self.folder = tempfile.TemporaryDirectory(prefix="slipstream-bench-")
        path = pathlib.Path(self.folder.name)
        self.file = path / "experiment.json"
        self.file.write_text(json.dumps(experiment_of(row, path)))
        self.slipstream = [str(PROGRAMS / "slipstream"), "--store", str(path / "store")]

    def run(self) -> dict:
        made = subprocess.run([*self.slipstream, "run", str(self.file)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if made.returncode != 0:
            sys.exit(made.stdout)
        answer = subprocess.run([*self.slipstream, "metrics", "last", "--metric", "step_seconds", "--json"],
                                stdout=subprocess.PIPE, text=True, check=True)
        points = json.loads(answer.stdout)["points"]
        seconds = [value for _, value in points[int(WARM_UP * len(points)):]]
        return {"samples_per_second": len(seconds) * self.row.batch * self.row.ranks / sum(seconds)}

    def close(self) -> None:
        self.folder.cleanup()


class OurSteps:
    """bench_resnet, which starts itself anew with the environment of a rank."""

    def __init__(self, row: Row):
        self.command = [str(PROGRAMS / "bench_resnet"), row.network, str(row.batch), str(row.threads), str(row.steps),
                        row.precision]

    def run(self) -> dict:
        answer = subprocess.run(self.command, stdout=subprocess.PIPE, text=True, check=True)
        return {"samples_per_second": json.loads(answer.stdout)["images_per_second"]}

    def close(self) -> None:
        pass


def measure(row: Row, pairs: int) -> tuple:
    busy = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) if row.beside else None
    ours = OurSteps(row) if row.network == "resnet50" else OurRun(row)
    theirs = Torch(row)
    taken = []
    try:
        for pair in range(pairs):
            first = ours.run() if pair % 2 == 0 else None
            rival = theirs.run(row.torch_steps)
            taken.append(((first or ours.run())["samples_per_second"], rival["samples_per_second"]))
    finally:
        theirs.close()
        ours.close()
        if busy:
            busy.kill()
            busy.wait()
    return taken, theirs.versions


def processor() -> str:
    text = pathlib.Path("/proc/cpuinfo").read_text()
    names = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    bf16 = "with bf16" if "avx512_bf16" in text else "without bf16"
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores, {bf16}"


def version_of_ours() -> str:
    answer = subprocess.run([str(PROGRAMS / "slipstream"), "--version"], stdout=subprocess.PIPE, text=True).stdout
    return "; ".join(" ".join(line.split()) for line in answer.splitlines())


def line_of(row: Row, taken: list) -> str:
    ratios = sorted(ours / theirs for ours, theirs in taken)
    ours, theirs = (statistics.median(side) for side in zip(*taken))
    goal = f"{row.goal:g}" if row.goal else "-"
    where = f"{row.ranks} x {row.batch}, {row.threads} thr."
    return (f"{row.name:<20} {where:<16} {ours:>10,.1f} {theirs:>10,.1f} {statistics.median(ratios):>7.2f} "
            f"[{ratios[0]:.2f} .. {ratios[-1]:.2f}] {goal:>6}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", help="names with commas between, or all; else those with a goal")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    given = parser.parse_args()
    if given.list:
        return print("\n".join(row.name for row in ROWS))
    wanted = given.rows.split(",") if given.rows else [row.name for row in ROWS if row.always]
    unknown = set(wanted) - {row.name for row in ROWS} - {"all"}
    if unknown:
        parser.error(f"no such rows: {', '.join(sorted(unknown))}")
    print(f"{version_of_ours()} on {processor()}; load {os.getloadavg()[0]:.1f}; {given.pairs} pairs", flush=True)
    print(f"{'row':<20} {'ranks x batch':<16} {'ours/s':>10} {'PyTorch/s':>10} {'ratio':>7} [lowest .. highest] goal")
    versions = {}
    for row in ROWS:
        if row.name in wanted or "all" in wanted:
            taken, versions = measure(row, given.pairs)
            print(line_of(row, taken), flush=True)
    print(f"PyTorch {versions.get('torch')} with oneDNN {versions.get('onednn')}, Python {platform.python_version()}, "
          f"{platform.platform()}")


if __name__ == "__main__":
    main()

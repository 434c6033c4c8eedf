#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is measured on a GPU, in one call: the rate at which it copies, every boost kernel beside it, and
images per second of training ResNet-50 at 224 x 224 beside PyTorch, in turn.

    python3 tests/bench/cuda.py [--batches 64,128,256,512] [--repetitions 3] [--programs FOLDER]

FOLDER holds bench_cuda and bench_resnet (build/release/bin). PyTorch is measured as it is and in its best dress: channels
last and autocast, with and without torch.compile and CUDA graphs. Without PyTorch there is no rival, and the lines say so.
Both sides run forward, loss times 1024, backward and a momentum update on pictures that are on the GPU; neither looks for
overflows.
"""

import argparse
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
STEPS = 20
FORMS = ("plain", "graphs", "compiled")


def resnet50(nn):
    spec = importlib.util.spec_from_file_location("torch_training", HERE / "torch_training.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.resnet50(nn)


def torch_step(torch, network, precision):
    """One training step, which a graph can hold: nothing in it that the host decides on."""
    from torch import nn

    optimizer = torch.optim.SGD(network.parameters(), lr=0.01 / 1024, momentum=0.9, foreach=True)
    loss_of = nn.CrossEntropyLoss()
    number = torch.float16 if precision == "fp16" else torch.bfloat16

    def step(inputs, labels):
        optimizer.zero_grad(set_to_none=False)
        with torch.autocast("cuda", dtype=number):
            loss = loss_of(network(inputs), labels)
        (1024 * loss).backward()
        optimizer.step()
        return loss

    return step


def torch_side(precision: str, batch: int, form: str) -> None:
    import torch
    from torch import nn

    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    network = resnet50(nn).cuda().to(memory_format=torch.channels_last).train()
    if form == "compiled":
        network = torch.compile(network, mode="max-autotune-no-cudagraphs")
    inputs = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (batch,), device="cuda")
    step = torch_step(torch, network, precision)
    run = lambda: step(inputs, labels)
    if form == "graphs":
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(11):
                step(inputs, labels)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step(inputs, labels)
        run = graph.replay
    for _ in range(5):
        run()
    torch.cuda.synchronize()
    seconds = []
    for _ in range(STEPS):
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"images_per_second": batch / statistics.median(seconds), "torch": torch.__version__,
                      "peak_mb": torch.cuda.max_memory_allocated() / 2**20}))


def answer_of(command: list) -> dict:
    """The last line of a program as JSON, or what it said instead."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return {"failed": (done.stderr.strip() or "no output").splitlines()[-1]}


def rates(answers: list) -> list:
    return [answer["images_per_second"] for answer in answers if "images_per_second" in answer]


def compare(programs: pathlib.Path, precision: str, batch: int, repetitions: int) -> None:
    ours, theirs = [], {form: [] for form in FORMS}
    for _ in range(repetitions):
        ours.append(answer_of([programs / "bench_resnet", "resnet50", batch, 1, STEPS, precision, "cuda"]))
        for form in FORMS:
            theirs[form].append(answer_of([sys.executable, __file__, "--torch", precision, batch, form]))
    line = {"bench": "resnet on a GPU", "precision": precision, "batch": batch, "repetitions": repetitions}
    line["slipstream"] = round(statistics.median(rates(ours)), 1) if rates(ours) else ours[-1].get("failed")
    best = 0.0
    for form, answers in theirs.items():
        found = rates(answers)
        line["torch " + form] = round(statistics.median(found), 1) if found else answers[-1].get("failed")
        best = max(best, statistics.median(found) if found else 0.0)
    if rates(ours) and best > 0:
        line["ratio_to_best"] = round(statistics.median(rates(ours)) / best, 3)
    line["slipstream_counted_mb"] = ours[-1].get("peak_mb")  # what the engine counts; torch counts what it reserves
    line["ms_by_layer"] = ours[-1].get("ms_by_layer")
    print(json.dumps(line), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", default="64,128,256,512")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--programs", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin")
    parser.add_argument("--torch", nargs=3, metavar=("PRECISION", "BATCH", "FORM"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.torch:
        torch_side(given.torch[0], int(given.torch[1]), given.torch[2])
        return 0
    for classes in ("1000", "10"):
        done = subprocess.run([str(given.programs / "bench_cuda"), "11", classes])
        if done.returncode != 0:
            return done.returncode
    for precision in ("fp16", "bf16"):
        for batch in given.batches.split(","):
            compare(given.programs, precision, int(batch), given.repetitions)
    return 0


if __name__ == "__main__":
    sys.exit(main())

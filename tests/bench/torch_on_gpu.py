#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's side of ResNet-50 at 224 x 224 on a GPU: one process that answers, a JSON line each, what it reads a line each.

    {"precision": "fp16" | "bf16", "batch": 256, "form": FORM}  ->  {"images_per_second": ...} or {"failed": ...}

Forms, all channels last under autocast, with cuDNN's choice by time: plain; deterministic (of cuDNN's ways only those that
give the same bits each time, as ours are); graphs (a CUDA graph of the step); compiled (torch.compile, max-autotune). A step
is forward, loss times 1024, backward and a momentum update on pictures that are on the GPU; nobody looks for overflows.
"""

import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import torch_training  # noqa: E402: beside this file

STEPS = 20


def step_of(torch, network, precision):
    """One training step, which a graph can hold: nothing in it that the host decides on."""
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01 / 1024, momentum=0.9, foreach=True)
    loss_of = torch.nn.CrossEntropyLoss()
    number = torch.float16 if precision == "fp16" else torch.bfloat16

    def step(inputs, labels):
        optimizer.zero_grad(set_to_none=False)
        with torch.autocast("cuda", dtype=number):
            loss = loss_of(network(inputs), labels)
        (1024 * loss).backward()
        optimizer.step()

    return step


def recorded(torch, step):
    """Replays a graph of the step, which has been taken often enough for every choice to be made."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(11):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def median_seconds(torch, run):
    for _ in range(5):
        run()
    torch.cuda.synchronize()
    seconds = []
    for _ in range(STEPS):
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def measure(torch, precision, batch, form):
    torch.manual_seed(1)
    torch.cuda.reset_peak_memory_stats()
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = form == "deterministic"
    network = torch_training.resnet50(torch.nn).cuda().to(memory_format=torch.channels_last).train()
    if form == "compiled":
        network = torch.compile(network, mode="max-autotune-no-cudagraphs")
    inputs = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (batch,), device="cuda")
    step = step_of(torch, network, precision)
    run = lambda: step(inputs, labels)  # noqa: E731
    seconds = median_seconds(torch, recorded(torch, run) if form == "graphs" else run)
    return {"images_per_second": round(batch / seconds, 1), "torch": torch.__version__,
            "cudnn": torch.backends.cudnn.version(), "peak_mb": round(torch.cuda.max_memory_allocated() / 2**20)}


def main():
    import torch

    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = measure(torch, asked["precision"], asked["batch"], asked["form"])
        except Exception as problem:  # whatever it is, the next form may do better
            answer = {"failed": (str(problem).strip() or type(problem).__name__).splitlines()[0]}
        torch.cuda.empty_cache()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

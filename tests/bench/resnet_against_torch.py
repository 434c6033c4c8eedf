#!/usr/bin/env python3
"""Images per second of training ResNet-50 at 224 x 224: Slipstream's bench_resnet beside PyTorch (channels last), in
turn, on this machine.

    /usr/bin/python3 tests/bench/resnet_against_torch.py [fp32|bf16] [BATCH] [THREADS] [REPETITIONS]

Needs PyTorch (Debian: python3-torch); nothing else of Slipstream does. Both sides run forward, loss, backward and a
momentum update on pictures that are ready in memory.
"""

import json
import pathlib
import resource
import statistics
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/bench_resnet"
STEPS = 3


def resnet50(nn):
    """v1.5: the stride stands on the 3 x 3."""

    class Bottleneck(nn.Module):
        def __init__(self, inputs, inside, stride):
            super().__init__()
            outputs = 4 * inside
            self.branch = nn.Sequential(
                nn.Conv2d(inputs, inside, 1, bias=False), nn.BatchNorm2d(inside), nn.ReLU(inplace=True),
                nn.Conv2d(inside, inside, 3, stride, 1, bias=False), nn.BatchNorm2d(inside), nn.ReLU(inplace=True),
                nn.Conv2d(inside, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
            self.shortcut = nn.Sequential()
            if stride != 1 or inputs != outputs:
                self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                              nn.BatchNorm2d(outputs))
            self.relu = nn.ReLU(inplace=True)

        def forward(self, x):
            return self.relu(self.branch(x) + self.shortcut(x))

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
              nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for inside, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, inside, stride if block == 0 else 1))
            inputs = 4 * inside
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def torch_side(precision: str, batch: int, threads: int) -> None:
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    network = resnet50(nn).to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()
    inputs = torch.randn(batch, 3, 224, 224).to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (batch,))
    seconds = []
    for step in range(STEPS + 1):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16"):
            loss = loss_of(network(inputs), labels)
        loss.backward()
        optimizer.step()
        if step > 0:  # the first warms up
            seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"images_per_second": batch / statistics.median(seconds), "peak_mb": peak}))


def answer_of(command: list) -> dict:
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main(precision: str, batch: int, threads: int, repetitions: int) -> None:
    ours, theirs = [], []
    for _ in range(repetitions):
        ours.append(answer_of([str(BENCH), "resnet50", str(batch), str(threads), str(STEPS), precision]))
        theirs.append(answer_of([sys.executable, __file__, "--torch", precision, str(batch), str(threads)]))
    rate = lambda answers: statistics.median(answer["images_per_second"] for answer in answers)
    peak = lambda answers: max(answer["peak_mb"] for answer in answers)
    print(json.dumps({
        "bench": "resnet against torch", "network": "resnet50", "precision": precision, "batch": batch,
        "threads": threads, "repetitions": repetitions,
        "slipstream_images_per_second": round(rate(ours), 2), "torch_images_per_second": round(rate(theirs), 2),
        "ratio": round(statistics.median(a["images_per_second"] / b["images_per_second"]
                                         for a, b in zip(ours, theirs)), 3),
        "slipstream_peak_mb": round(peak(ours)), "torch_peak_mb": round(peak(theirs)),
        "ms_by_layer": ours[-1]["ms_by_layer"],
    }))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--torch"]:
        torch_side(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        given = dict(enumerate(sys.argv[1:]))
        main(given.get(0, "fp32"), int(given.get(1, 16)), int(given.get(2, 2)), int(given.get(3, 3)))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's side of the comparisons: trains a network on the CPU, and answers each number of steps that it reads from
standard input with a JSON line of what they took. Between commands it computes nothing.

    python3 tests/bench/torch_training.py NETWORK BATCH THREADS [eager|compiled] [fp32|bf16]

Networks: mlp (784-512-512-10), resnet18 at 32 x 32, resnet50 at 224 x 224, both channels last; gpt, the example of
experiments/own_network. Where the environment has RANK and WORLD_SIZE it is one rank of DistributedDataParallel on gloo.
A step is forward, loss, backward and a momentum update on samples that are ready as tensors; of gpt it also draws the
samples, clips the gradient and takes AdamW, as the example does.
"""

import json
import os
import pathlib
import resource
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def block_of(nn, inputs, inside, stride, kind):
    """The layers of a residual branch; v1.5: the stride is on the 3 x 3."""
    def conv(a, b, kernel, step):
        return [nn.Conv2d(a, b, kernel, step, kernel // 2, bias=False), nn.BatchNorm2d(b)]

    relu = nn.ReLU(inplace=True)
    if kind == "basic":
        return inside, [*conv(inputs, inside, 3, stride), relu, *conv(inside, inside, 3, 1)]
    return 4 * inside, [*conv(inputs, inside, 1, 1), relu, *conv(inside, inside, 3, stride), relu,
                        *conv(inside, 4 * inside, 1, 1)]


def resnet(nn, kind, depths, classes):
    class Residual(nn.Module):
        def __init__(self, inputs, inside, stride):
            super().__init__()
            outputs, layers = block_of(nn, inputs, inside, stride, kind)
            self.outputs = outputs
            self.branch = nn.Sequential(*layers)
            self.shortcut = nn.Sequential()
            if stride != 1 or inputs != outputs:
                self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                              nn.BatchNorm2d(outputs))
            self.relu = nn.ReLU(inplace=True)

        def forward(self, x):
            return self.relu(self.branch(x) + self.shortcut(x))

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, blocks in enumerate(depths):
        for block in range(blocks):
            layers.append(Residual(inputs, 64 << stage, 2 if block == 0 and stage > 0 else 1))
            inputs = layers[-1].outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes))


def resnet50(nn):
    return resnet(nn, "bottleneck", (3, 4, 6, 3), 1000)


def mlp(nn):
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))


NETWORKS = {
    "mlp": (mlp, (784,), 10),
    "resnet18": (lambda nn: resnet(nn, "basic", (2, 2, 2, 2), 10), (3, 32, 32), 10),
    "resnet50": (resnet50, (3, 224, 224), 1000),
}


class Training:
    """Steps of a network, which subclasses make."""

    def __init__(self, torch, network, batch, form, ranks):
        self.torch, self.batch, self.ranks = torch, batch, ranks
        if ranks > 1:
            network = torch.nn.parallel.DistributedDataParallel(network, gradient_as_bucket_view=True)
        self.network = torch.compile(network) if form == "compiled" else network

    def run(self, steps):
        seconds = []
        start = time.perf_counter()
        for number in range(steps):
            before = time.perf_counter()
            self.step(number)
            seconds.append(time.perf_counter() - before)
        whole = time.perf_counter() - start
        return {"samples_per_second": steps * self.batch * self.ranks / whole,
                "median_step_ms": 1e3 * sorted(seconds)[steps // 2],
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


class Classification(Training):
    def __init__(self, torch, name, batch, form, precision, ranks):
        make, shape, classes = NETWORKS[name]
        torch.manual_seed(1)
        network = make(torch.nn).train()
        self.precision = precision
        self.inputs = [torch.randn(batch, *shape) for _ in range(4)]
        if len(shape) == 3:
            network = network.to(memory_format=torch.channels_last)
            self.inputs = [each.to(memory_format=torch.channels_last) for each in self.inputs]
        self.labels = [torch.randint(0, classes, (batch,)) for _ in range(4)]
        self.optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
        self.loss_of = torch.nn.CrossEntropyLoss()
        super().__init__(torch, network, batch, form, ranks)

    def step(self, number):
        self.optimizer.zero_grad(set_to_none=True)
        with self.torch.autocast("cpu", dtype=self.torch.bfloat16, enabled=self.precision == "bf16"):
            loss = self.loss_of(self.network(self.inputs[number % 4]), self.labels[number % 4])
        loss.backward()
        self.optimizer.step()


class Gpt(Training):
    def __init__(self, torch, batch, form, ranks):
        sys.path[:0] = [str(PROJECT / "app/python"), str(PROJECT / "experiments/own_network")]
        import gpt

        self.example = gpt
        self.text = torch.randint(0, 256, (1 << 16,))
        torch.manual_seed(1)
        network = gpt.GPT()
        for table in network.bytes, network.places:
            torch.nn.init.normal_(table.weight, std=0.02)
        self.parameters = list(network.parameters())
        self.optimizer = torch.optim.AdamW(self.parameters, lr=0.001, weight_decay=0.01)
        super().__init__(torch, network, batch, form, ranks)

    def step(self, number):
        length = self.example.CONTEXT + 1
        starts = self.torch.randint(len(self.text) - length, (self.batch,))
        windows = self.torch.stack([self.text[start:start + length] for start in starts])
        self.optimizer.zero_grad(set_to_none=True)
        self.example.losses(self.network, windows).mean().backward()
        self.torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()


def training_of(torch, name, batch, form, precision, ranks):
    if name == "gpt":
        return Gpt(torch, batch, form, ranks)
    return Classification(torch, name, batch, form, precision, ranks)


def next_steps(torch, rank, ranks):
    """Rank 0 reads the number, the others are told; 0 at the end."""
    steps = torch.zeros(1, dtype=torch.int64)
    if rank == 0:
        steps[0] = int(sys.stdin.readline() or 0)
    if ranks > 1:
        torch.distributed.broadcast(steps, 0)
    return int(steps)


def main(name, batch, threads, form="eager", precision="fp32"):
    import torch

    torch.set_num_threads(int(threads))
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if ranks > 1:
        torch.distributed.init_process_group("gloo")
    training = training_of(torch, name, int(batch), form, precision, ranks)
    training.run(3)
    if rank == 0:
        print(json.dumps({"torch": torch.__version__, "onednn": onednn_of(torch), "threads": torch.get_num_threads()}),
              flush=True)
    while steps := next_steps(torch, rank, ranks):
        answer = training.run(steps)
        if rank == 0:
            print(json.dumps(answer), flush=True)


def onednn_of(torch):
    words = [line.split("MKL-DNN ")[1].split(" ")[0] for line in torch.__config__.show().splitlines() if "MKL-DNN " in line]
    return words[0] if words else "none"


if __name__ == "__main__":
    main(*sys.argv[1:])

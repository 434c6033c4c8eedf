#!/usr/bin/env python3
"""Samples per second of the MLP 784-512-512-10 on 8 ranks x 32 samples: Slipstream's bench_rate beside PyTorch's
DistributedDataParallel on gloo with 8 processes, in turn, on this machine.

    /usr/bin/python3 tests/bench/against_torch.py [REPETITIONS]

Needs PyTorch (Debian: python3-torch); nothing else of Slipstream does. Both sides train with momentum on one thread a
rank. PyTorch's side has its samples ready as tensors, Slipstream's unpacks and records as in a run.
"""

import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

RANKS, BATCH, STEPS_BEFORE, STEPS = 8, 32, 20, 200
BENCH = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/bench_rate"


def torch_rank(rank: int) -> None:
    import torch
    import torch.distributed as dist
    from torch import nn

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    torch.manual_seed(1)
    network = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    network = nn.parallel.DistributedDataParallel(network)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()
    inputs, labels = torch.randn(16, BATCH, 784), torch.randint(0, 10, (16, BATCH))

    def train(steps: int) -> None:
        for step in range(steps):
            optimizer.zero_grad(set_to_none=True)
            loss_of(network(inputs[step % 16]), labels[step % 16]).backward()
            optimizer.step()

    train(STEPS_BEFORE)
    dist.barrier()
    start = time.perf_counter()
    train(STEPS)
    dist.barrier()
    if rank == 0:
        print(STEPS * RANKS * BATCH / (time.perf_counter() - start))
    dist.destroy_process_group()


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def torch_rate() -> float:
    environment = dict(os.environ, MASTER_ADDR="127.0.0.1", MASTER_PORT=free_port(), OMP_NUM_THREADS="1",
                       GLOO_SOCKET_IFNAME="lo")
    command = [sys.executable, __file__, "--rank"]
    ranks = [subprocess.Popen(command + [str(rank)], env=environment, stdout=subprocess.PIPE, text=True)
             for rank in range(RANKS)]
    answers = [rank.communicate()[0] for rank in ranks]
    if any(rank.returncode for rank in ranks):
        sys.exit("PyTorch's ranks failed; their words stand above")
    return float(answers[0])


def our_rate() -> float:
    answer = subprocess.run([BENCH], stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(answer)["samples_per_second"]


def main(repetitions: int) -> None:
    ours, theirs = [], []
    for _ in range(repetitions):
        ours.append(our_rate())
        theirs.append(torch_rate())
    print(json.dumps({
        "bench": "against torch", "ranks": RANKS, "batch": BATCH, "repetitions": repetitions,
        "slipstream_samples_per_second": round(statistics.median(ours)),
        "torch_samples_per_second": round(statistics.median(theirs)),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, theirs)), 2),
    }))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        torch_rank(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)

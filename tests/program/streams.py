# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws from every random stream that a training loop may use, and fails once at step 7 where the argument says so."""
import os
import random
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

import slipstream

try:
    import numpy
except ImportError:
    numpy = None


class Augmented(Dataset):
    def __len__(self):
        return 48

    def __getitem__(self, index):
        shift = random.random() + (0 if numpy is None else numpy.random.rand())
        return torch.full((4,), float(index)) / 48 + shift * torch.rand(4), index % 3


class Counter:
    """A state of the program's own."""

    def __init__(self):
        self.count = 0

    def state_dict(self):
        return {"count": self.count}

    def load_state_dict(self, state):
        self.count = state["count"]


def main():
    rank = slipstream.join()
    for seed in (torch.manual_seed, random.seed, *([] if numpy is None else [numpy.random.seed])):
        seed(5 + rank.number)
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 3))
    counter = Counter()
    step = rank.wrap(model, state=counter)
    torch.rand(3), random.random()  # as programs draw between wrap and the loop, also when they go on
    generator = torch.Generator().manual_seed(rank.number)
    loader = DataLoader(Augmented(), 8, shuffle=True, drop_last=True, generator=generator)
    for x, y in step.batches(loader):
        if step.done == 7 and sys.argv[1] == "fails" and not os.path.exists("failed"):
            if rank.number == 0:
                open("failed", "w").close()
                raise ValueError("step 7 is broken")
        with step(trial=lambda: F.cross_entropy(model(x), y)):
            F.cross_entropy(model(x), y).backward()
            counter.count += 1  # before the end of the step, where a checkpoint is kept
    assert counter.count == step.total


main()

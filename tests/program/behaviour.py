# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that is used in the way that the argument names: some are handled, others refused at once."""
import os
import sys
import threading

import torch
from torch import nn
from torch.nn import functional as F

import slipstream

USE = sys.argv[1]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.one, self.two = nn.Linear(4, 4, bias=False), nn.Linear(4, 4)
        self.unused = nn.Linear(2, 2)
        if USE == "tied":
            self.two.weight = self.one.weight

    def forward(self, x):
        x = self.norm(self.conv(x)).relu().mean((2, 3))
        return self.two(self.one(x).tanh())


def use(step, model, x, y, optimizer):
    if USE in ("micro_batches", "accumulates", "plain_parts"):
        with step() as now:
            for part, labels in now.parts(x, y):
                F.cross_entropy(model(part), labels).backward()
        return
    if USE == "backward_outside":
        F.cross_entropy(model(x), y).backward()
    if USE == "moved" and step.done == 2:
        model.double().float()
    if USE == "channels_last_later" and step.done == 2:
        model.to(memory_format=torch.channels_last)
    if USE == "frozen_later" and step.done == 2:
        model.one.weight.requires_grad_(False)
    if USE == "set_to_none":
        model.zero_grad(set_to_none=True)
    with step():
        if USE == "set_to_none_inside":
            model.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y)
        if USE == "raises" and step.done == 2:
            raise ValueError("batch 2 is broken")
        if USE == "other_thread":
            thread = threading.Thread(target=loss.backward)
            thread.start()
            thread.join()
        elif USE != "no_backward":
            loss.backward()
        if USE == "backward_twice":
            F.cross_entropy(model(x), y).backward()
    if USE == "optimizer_steps":
        optimizer.step()


class State:
    """Holds what only pickle could write."""

    def state_dict(self):
        return {"model": Model()}

    def load_state_dict(self, state):
        raise NotImplementedError


def fork_and_exit():
    child = os.fork()
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)


def main():
    rank = slipstream.join()
    assert rank.device == "cpu"
    if USE == "joins_twice":
        slipstream.join()
    torch.manual_seed(7)
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if USE == "half":
        model.half()
    if USE == "elsewhere":
        model.to("meta")
    if USE == "channels_last":
        model.to(memory_format=torch.channels_last)
    step = rank.wrap(model, state=State() if USE == "state_of_objects" else None)
    if USE == "wraps_twice":
        rank.wrap(Model())
    views = [(weight.data_ptr(), gradient.data_ptr()) for weight, gradient in step._views]
    assert step._rank._call("copies_gradients") == 0
    torch.manual_seed(rank.number)
    while not step.should_stop:
        count = 16 if USE == "accumulates" else 8
        x, y = torch.randn(count, 3, 6, 6), torch.randint(4, (count,))
        use(step, model, x, y, optimizer)
        if USE == "forks" and step.done == 2:
            fork_and_exit()
        if USE == "percent":
            rank.record("accuracy", 97.3)
        trained = [parameter for _, parameter in step._parameters]
        assert [(p.data_ptr(), p.grad.data_ptr()) for p in trained] == views, "something was copied"
        base, flat = step._rank._call("gradients"), sum(p.numel() for p in trained)
        assert all(base <= p.grad.data_ptr() < base + 4 * flat for p in trained)
    assert model.unused.weight.grad.abs().sum() == 0
    print("used as meant")


main()

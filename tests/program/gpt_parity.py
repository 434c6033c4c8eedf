# SPDX-License-Identifier: GPL-3.0-or-later
"""The example GPT from given weights on given batches: as a rank of a run, or, as `gpt_parity.py plain RANKS STEPS RULE`,
all ranks in one process with PyTorch's own optimizer, which prints the losses. RULE is mean, adasum or adasum_deltas.

Adasum of two vectors: Maleki et al., arXiv 2006.02924, for each parameter by itself."""
import copy
import json
import sys

import torch

import gpt

BATCH, TEXT_BYTES, RATE, DECAY, MOST_NORM = 8, 1 << 14, 0.001, 0.01, 1.0


def made_model():
    torch.manual_seed(7)
    model = gpt.GPT()
    for table in model.bytes, model.places:
        torch.nn.init.normal_(table.weight, std=0.02)
    return model


def windows_of(text, step, rank):
    source = torch.Generator().manual_seed(1000 * step + rank)
    starts = torch.randint(len(text) - gpt.CONTEXT, (BATCH,), generator=source)
    return torch.stack([text[start:start + gpt.CONTEXT + 1] for start in starts])


def text_of():
    """Bytes that the ones before them tell something of."""
    source = torch.Generator().manual_seed(3)
    return torch.cumsum(torch.randint(0, 3, (TEXT_BYTES,), generator=source), 0) % 256


def adasum(a, b):
    dot = (a.double() * b.double()).sum()
    return ((1 - dot / (2 * a.double().square().sum())) * a.double()
            + (1 - dot / (2 * b.double().square().sum())) * b.double()).float()


def adamw(model):
    return torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)


def gradients_of(model, windows):
    model.zero_grad()
    loss = gpt.losses(model, windows).mean()
    loss.backward()
    return loss.item(), [parameter.grad.clone() for parameter in model.parameters()]


def take_step(model, optimizer, gradients):
    for parameter, gradient in zip(model.parameters(), gradients):
        parameter.grad = gradient.clone()
    torch.nn.utils.clip_grad_norm_(model.parameters(), MOST_NORM)
    optimizer.step()


class Together:
    """One optimizer steps with what the ranks' gradients come to."""

    def __init__(self, model, ranks, rule):
        self.model, self.optimizer, self.rule = model, adamw(model), rule

    def step(self, gradients):
        if self.rule == "mean":
            combined = [sum(each) / len(each) for each in zip(*gradients)]
        else:
            combined = [adasum(a, b) for a, b in zip(*gradients)]
        take_step(self.model, self.optimizer, combined)


class EachByItself:
    """Every rank steps from the common weights with its own optimizer; what is combined is how far each went."""

    def __init__(self, model, ranks):
        self.model = model
        self.copies = [copy.deepcopy(model) for _ in range(ranks)]
        self.optimizers = [adamw(one) for one in self.copies]

    def step(self, gradients):
        with torch.no_grad():
            for one in self.copies:
                for own, common in zip(one.parameters(), self.model.parameters()):
                    own.copy_(common)
        for one, optimizer, own in zip(self.copies, self.optimizers, gradients):
            take_step(one, optimizer, own)
        with torch.no_grad():
            for common, a, b in zip(self.model.parameters(), *(one.parameters() for one in self.copies)):
                common.sub_(adasum(common - a, common - b))


def plain(ranks, steps, rule):
    text, model = text_of(), made_model()
    updates = EachByItself(model, ranks) if rule == "adasum_deltas" else Together(model, ranks, rule)
    means = []
    for step in range(steps):
        taken = [gradients_of(model, windows_of(text, step, rank)) for rank in range(ranks)]
        means.append(sum(loss for loss, _ in taken) / ranks)
        updates.step([gradients for _, gradients in taken])
    print(json.dumps(means))


def train():
    import slipstream

    rank = slipstream.join()
    text, model = text_of(), made_model()
    step = rank.wrap(model)
    while not step.should_stop:
        windows = windows_of(text, step.done, rank.number)
        with step() as now:
            for part in now.parts(windows):
                gpt.losses(model, part).mean().backward()


if len(sys.argv) > 1:
    torch.set_num_threads(1)
    plain(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
else:
    train()

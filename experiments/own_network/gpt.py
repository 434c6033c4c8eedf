# SPDX-License-Identifier: GPL-3.0-or-later
"""A small GPT on bytes, with tied input and output embeddings: `python3 gpt.py [FILE]` as gpt.json says; without a file
it learns its own source text."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

import slipstream

CONTEXT, WIDTH, HEADS, BLOCKS, BATCH = 64, 64, 4, 2, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mix, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        heads = self.mix(self.norm1(x)).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.bytes, self.places = nn.Embedding(256, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, 256, bias=False)
        self.head.weight = self.bytes.weight

    def forward(self, text):
        x = self.bytes(text) + self.places(torch.arange(text.shape[1], device=text.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def main():
    rank = slipstream.join()
    torch.manual_seed(rank.experiment["seed"])
    model = GPT().to(rank.device)
    nn.init.normal_(model.bytes.weight, std=0.02)
    torch.manual_seed(rank.experiment["seed"] * 1000 + rank.number)
    step = rank.wrap(model)
    with open(sys.argv[1] if len(sys.argv) > 1 else __file__, "rb") as file:
        text = torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).long()
    while not step.should_stop:
        starts = torch.randint(len(text) - CONTEXT - 1, (BATCH,))
        windows = torch.stack([text[start:start + CONTEXT + 1] for start in starts]).to(rank.device)
        with step() as now:
            for part in now.parts(windows):
                logits = model(part[:, :-1])
                F.cross_entropy(logits.flatten(0, 1), part[:, 1:].flatten()).backward()


main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""A small GPT on bytes, with tied input and output embeddings: `python3 gpt.py [FILE]` as gpt.json says. Without a file
it learns the text of the GPL that Debian ships, or else its own source. The last tenth of the text is held out."""
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

import slipstream

CONTEXT, WIDTH, HEADS, BLOCKS, BATCH = 64, 64, 4, 2, 8
LICENSE = "/usr/share/common-licenses/GPL-3"


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


def read_text():
    name = sys.argv[1] if len(sys.argv) > 1 else LICENSE if os.path.exists(LICENSE) else __file__
    with open(name, "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).long()


def losses(model, windows):
    """One a byte; shape (windows, CONTEXT)."""
    return F.cross_entropy(model(windows[:, :-1]).transpose(1, 2), windows[:, 1:], reduction="none")


def main():
    rank = slipstream.join()
    torch.manual_seed(rank.experiment["seed"])
    model = GPT().to(rank.device)
    for table in model.bytes, model.places:
        nn.init.normal_(table.weight, std=0.02)
    torch.manual_seed(rank.experiment["seed"] * 1000 + rank.number)
    step = rank.wrap(model)
    text = read_text()
    trained, held_out = text[:-len(text) // 10], text[-len(text) // 10:]
    while not step.should_stop:
        starts = torch.randint(len(trained) - CONTEXT - 1, (BATCH,))
        windows = torch.stack([trained[start:start + CONTEXT + 1] for start in starts]).to(rank.device)
        with step() as now:
            for part in now.parts(windows):
                losses(model, part).mean().backward()
    with torch.no_grad():
        of_windows = losses(model, held_out.unfold(0, CONTEXT + 1, CONTEXT).to(rank.device)).mean(1)
    rank.record("evaluation_loss", of_windows.mean().item())
    rank.record("evaluation_loss_error", (of_windows.std() / len(of_windows) ** 0.5).item())  # a study asks for it


main()

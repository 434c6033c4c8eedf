# SPDX-License-Identifier: GPL-3.0-or-later
"""A small GPT that learns a text byte by byte, with tied input and output embeddings: gpt.json starts it as
`python3 gpt.py FILE`. The last tenth of the text is held out: the loss there is recorded at the end."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

import slipstream

CONTEXT, WIDTH, HEADS, BLOCKS, BATCH = 64, 64, 4, 2, 8
EVALUATED_AT_ONCE = 64  # windows: a long text would not fit into memory as a whole


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
    """The bytes to train on, and those that are held out."""
    if len(sys.argv) != 2:
        sys.exit("name a text: python3 gpt.py FILE")
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    least = 10 * (2 * CONTEXT + 1)  # two windows are held out then, the fewest whose losses have a deviation
    if len(data) < least:
        sys.exit(f"{sys.argv[1]} has {len(data)} bytes: name a text of at least {least}")
    text = torch.frombuffer(bytearray(data), dtype=torch.uint8).long()
    cut = len(text) - len(text) // 10
    return text[:cut], text[cut:]


def losses(model, windows):
    """The loss of predicting each byte of a window but its first, in nats: shape (windows, CONTEXT)."""
    return F.cross_entropy(model(windows[:, :-1]).transpose(1, 2), windows[:, 1:], reduction="none")


def evaluate(model, text, device):
    """The mean loss of each window of the text, one behind the other."""
    windows = text.unfold(0, CONTEXT + 1, CONTEXT)
    with torch.no_grad():
        return torch.cat([losses(model, some.to(device)).mean(1) for some in windows.split(EVALUATED_AT_ONCE)])


def main():
    trained, held_out = read_text()  # first, so that `slipstream plan` says what is wrong with it
    rank = slipstream.join()
    torch.manual_seed(rank.experiment["seed"])
    model = GPT().to(rank.device)
    for table in model.bytes, model.places:  # with PyTorch's own, positions of variance 1, it learned nothing
        nn.init.normal_(table.weight, std=0.02)
    torch.manual_seed(rank.experiment["seed"] * 1000 + rank.number)  # each rank draws windows of its own
    step = rank.wrap(model)
    while not step.should_stop:
        starts = torch.randint(len(trained) - CONTEXT, (BATCH,))
        windows = torch.stack([trained[start:start + CONTEXT + 1] for start in starts]).to(rank.device)
        with step() as now:
            for part in now.parts(windows):
                losses(model, part).mean().backward()
    of_windows = evaluate(model, held_out, rank.device)
    rank.record("evaluation_loss", of_windows.mean().item())
    # The standard error of that mean, which studies of the test loss read.
    rank.record("evaluation_loss_error", (of_windows.std() / len(of_windows) ** 0.5).item())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""LeNet-5 in PyTorch on the samples of the experiment's data set: lenet.json trains the same network in the engine too.

`python3 lenet.py FILE` writes random weights in safetensors' format, from which both start."""
import json
import struct
import sys

import torch
from torch import nn
from torch.nn import functional as F


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))


def write_weights(model, path):
    header, data = {}, b""
    for name, value in model.state_dict().items():
        values = value.numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def train():
    import slipstream

    rank = slipstream.join()
    step = rank.wrap(LeNet().to(rank.device))

    def mean_loss(images, labels):
        return F.cross_entropy(step.model(images.to(rank.device)), labels.to(rank.device))

    def loss_again():
        return sum(now.weight * mean_loss(images, labels) for images, labels in now.samples())

    while not step.should_stop:
        with step(trial=loss_again) as now:  # only dim_reduce asks for it
            for images, labels in now.samples():
                mean_loss(images, labels).backward()


if len(sys.argv) > 1:
    torch.manual_seed(1)
    write_weights(LeNet(), sys.argv[1])
else:
    train()

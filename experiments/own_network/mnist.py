# SPDX-License-Identifier: GPL-3.0-or-later
"""mnist_plain.py as ranks of a run, mnist.json: eight lines are other ones."""
import os
import sys

import slipstream
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 8, 3), nn.Conv2d(8, 16, 3)
        self.drop = nn.Dropout(0.25)
        self.fc1, self.fc2 = nn.Linear(16 * 12 * 12, 64), nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = self.drop(F.max_pool2d(x, 2)).flatten(1)
        return self.fc2(F.relu(self.fc1(x)))


def read(folder, part):
    """The images and labels of a part ("train", "t10k") of MNIST's files, or images of random stripes (--stripes)."""
    if "--stripes" in sys.argv:
        labels = torch.randint(10, (4096,), generator=torch.Generator().manual_seed(len(part)))
        images = (torch.arange(28).view(1, 1, 28) % (labels.view(-1, 1, 1) + 2) == 0).float().expand(-1, 28, -1)
        return TensorDataset(images.unsqueeze(1).contiguous(), labels)
    with open(f"{folder}/{part}-images-idx3-ubyte", "rb") as file:
        pixels = torch.frombuffer(bytearray(file.read()[16:]), dtype=torch.uint8).view(-1, 1, 28, 28)
    with open(f"{folder}/{part}-labels-idx1-ubyte", "rb") as file:
        labels = torch.frombuffer(bytearray(file.read()[8:]), dtype=torch.uint8).long()
    return TensorDataset((pixels.float() / 255 - 0.1307) / 0.3081, labels)


def accuracy(model, data, device):
    model.eval()
    with torch.no_grad():
        right = sum((model(images.to(device)).argmax(1) == labels.to(device)).sum().item()
                    for images, labels in DataLoader(data, 256))
    model.train()
    return right / len(data)


def main():
    folder = os.environ.get("DATA_PATH")
    if folder is None and "--stripes" not in sys.argv:
        sys.exit("DATA_PATH does not name the folder of MNIST's files: set it, or give --stripes for made-up images")
    rank = slipstream.join()
    torch.manual_seed(1 + rank.number)
    device = rank.device
    model = Net().to(device)
    step = rank.wrap(model)
    loader = DataLoader(read(folder, "train"), 32, shuffle=True, drop_last=True)
    for images, labels in step.batches(loader):
        with step():
            loss = F.cross_entropy(model(images.to(device)), labels.to(device))
            loss.backward()
    rank.record("accuracy", accuracy(model, read(folder, "t10k"), device))


main()

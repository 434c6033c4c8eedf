# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes torch.json: weights that PyTorch's optimizers reach, for tests/boost/optimizers_torch_test.cpp.

Made with Debian 12's python3-torch (1.13): python3 make_torch.py > torch.json
"""
import json
import math

import torch

STEPS = 100
SIZES = [7, 30, 1]


def start(tensor, i):
    return 0.5 * math.sin(1.0 + tensor + 3.0 * i)


def gradient(tensor, i, step):
    return (0.2 + tensor) * math.sin(0.7 * i + 1.3 * step + tensor)


def run(make, rates, clip):
    weights = [
        torch.nn.Parameter(torch.tensor([start(t, i) for i in range(size)], dtype=torch.float64).float())
        for t, size in enumerate(SIZES)
    ]
    optimizer = make(weights)
    norms = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rates[step]
        for t, weight in enumerate(weights):
            weight.grad = torch.tensor([gradient(t, i, step) for i in range(SIZES[t])], dtype=torch.float64).float()
        if clip:
            norms.append(float(torch.nn.utils.clip_grad_norm_(weights, clip)))
        optimizer.step()
    return [w.tolist() for w in weights], norms


CASES = [
    ("adam", {"weight_decay": 0.05}, lambda w: torch.optim.Adam(w, weight_decay=0.05), 0),
    ("adam", {"weight_decay": 0.05}, lambda w: torch.optim.Adam(w, weight_decay=0.05), 1.5),
    (
        "adamw",
        {"weight_decay": 0.1, "beta1": 0.8, "beta2": 0.95, "eps": 1e-5},
        lambda w: torch.optim.AdamW(w, betas=(0.8, 0.95), eps=1e-5, weight_decay=0.1),
        0,
    ),
    ("adamw", {"weight_decay": 0.01}, lambda w: torch.optim.AdamW(w, weight_decay=0.01), 1.5),
    ("sgd", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
     lambda w: torch.optim.SGD(w, lr=1, momentum=0.9, nesterov=True, weight_decay=0.01), 1.5),
]

rates = [0.01 * (1 - step / STEPS) for step in range(STEPS)]
cases = []
for name, settings, make, clip in CASES:
    weights, norms = run(make, rates, clip)
    cases.append({"name": name, "settings": settings, "clip_norm": clip, "weights": weights, "norms": norms[:3]})
print(json.dumps({"torch": torch.__version__, "steps": STEPS, "sizes": SIZES, "cases": cases}).replace('{"name"', '\n{"name"'))

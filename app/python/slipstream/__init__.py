# SPDX-License-Identifier: GPL-3.0-or-later
"""Slipstream for Python: a reader of its run stores, and training loops of your own as ranks of its runs.

    import slipstream
    store = slipstream.open()
    for run in store.runs():
        loss = run.series("loss")
        print(run.id, run.name, run.state, loss.steps[-1], loss.values[-1])

Loops of your own: see `slipstream.training`.
"""

from ._library import SlipstreamError
from .series import Series
from .store import Run, Store, StoreError, default_folder, open
from .stored_form import Damaged
from .training import Rank, Step, join

__all__ = ["Damaged", "Rank", "Run", "Series", "SlipstreamError", "Step", "Store", "StoreError", "default_folder", "join", "open"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads Slipstream's run stores: runs, settings, events and series, also while a run writes.

    import slipstream
    store = slipstream.open()
    for run in store.runs():
        loss = run.series("loss")
        print(run.id, run.name, run.state, loss.steps[-1], loss.values[-1])
"""

from .series import Series
from .store import Run, Store, StoreError, default_folder, open
from .stored_form import Damaged

__all__ = ["Damaged", "Run", "Series", "Store", "StoreError", "default_folder", "open"]

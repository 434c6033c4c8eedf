# SPDX-License-Identifier: GPL-3.0-or-later
"""Says where the parameters of rank 1 belong, as the cause by which its run fails. `plan` is given one tensor."""
import ctypes
import os

import slipstream
from slipstream._library import KINDS, Tensor

rank = slipstream.join()
if "SLIPSTREAM_DESCRIBE" in os.environ:
    assert rank.device == "cpu", rank.device
elif rank.number == 1:
    raise RuntimeError(f"its parameters belong to {rank.device}.")
tensor = Tensor(ctypes.sizeof(Tensor), b"weight", (ctypes.c_int64 * 1)(4), 1, 0, KINDS["weight"])
rank._call("describe", ctypes.byref(tensor), 1)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Slipstream for Python: training loops of your own as ranks of its runs (training)."""

from ._library import SlipstreamError
from .training import Rank, Step, join

__all__ = ["Rank", "SlipstreamError", "Step", "join"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints every sample of a store as the reader in Python gives it: dump_series.py STORE RANKS."""

import struct
import sys

import slipstream


def main():
    store = slipstream.open(sys.argv[1])
    for run in store.runs():
        for metric in run.metrics():
            for rank in range(-1, int(sys.argv[2])):
                series = run.series(metric, None if rank < 0 else rank)
                for step, wall, value in zip(series.steps, series.wall_ns, series.values):
                    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
                    print("%s %s %d %d %d %016x" % (run.id, metric, rank, step, wall, bits))


if __name__ == "__main__":
    main()

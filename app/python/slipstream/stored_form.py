# SPDX-License-Identifier: GPL-3.0-or-later
"""Decodes series in the two forms in which a store keeps them.

A chunk holds some thousand samples of one series (engine/store/series_chunk.cpp), a block the last steps of all series of
one rank (engine/record/metric_block.cpp). Both are little-endian.
"""

import struct
import sys
from array import array

_CHUNK_VERSION = 1
_BLOCK_VERSION = 1
_MOST_SAMPLES = 2048
_MASK = 0xFFFFFFFFFFFFFFFF


class Damaged(Exception):
    """A stored form does not hold what slipstream wrote."""


def _byte_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_BYTES = _byte_table()
# What two bytes at once do: half the steps of a loop that takes most of the time of a reading.
_PAIRS = [_BYTES[(_BYTES[pair & 0xFF] ^ (pair >> 8)) & 0xFF] ^ (_BYTES[pair & 0xFF] >> 8) for pair in range(1 << 16)]


def crc32c(data):
    """CRC-32C (Castagnoli, RFC 3720) of bytes."""
    pairs = array("H")
    whole = len(data) // 2 * 2
    pairs.frombytes(data[:whole])
    if sys.byteorder == "big":
        pairs.byteswap()
    crc = 0xFFFFFFFF
    table = _PAIRS
    for pair in pairs:
        crc = table[(crc ^ pair) & 0xFFFF] ^ (crc >> 16)
    for byte in data[whole:]:
        crc = _BYTES[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


class _Bytes:
    """Takes values from the front of stored bytes; past their end it raises Damaged."""

    def __init__(self, data):
        self._data = memoryview(data)
        self._at = 0

    def take(self, count):
        if count > len(self._data) - self._at:
            raise Damaged("it is cut short")
        self._at += count
        return self._data[self._at - count:self._at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def array(self, code, count):
        values = array(code)
        values.frombytes(self.take(count * values.itemsize))
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def at_end(self):
        return self._at == len(self._data)


def _signed(value):
    return value - (1 << 64) if value & (1 << 63) else value


_DIFFERENCES = {2: "H", 4: "I", 8: "Q"}


def _column(data, count):
    """Whole numbers as the first one, the smallest difference and the differences less that, which wrap around."""
    values = array("q")
    if count == 0:
        return values
    value = data.number("q") & _MASK
    smallest = data.number("Q")
    width = data.number("B")
    if width == 0:
        differences = (0 for _ in range(count - 1))
    elif width in _DIFFERENCES:
        differences = data.array(_DIFFERENCES[width], count - 1)
    else:
        raise Damaged("a column has a width of %d" % width)
    values.append(_signed(value))
    for difference in differences:
        value = (value + smallest + difference) & _MASK
        values.append(_signed(value))
    return values


def decode_chunk(stored):
    """(steps, wall nanoseconds, values) of a chunk, as arrays of 'q', 'q' and 'd'."""
    data = _Bytes(stored)
    if data.number("I") != crc32c(memoryview(stored)[4:]):
        raise Damaged("its checksum is wrong")
    if data.number("B") != _CHUNK_VERSION:
        raise Damaged("it is of a version that this reader does not know")
    single = data.number("B") != 0
    count = data.number("I")
    if count > _MOST_SAMPLES:
        raise Damaged("it has %d samples" % count)
    values = array("d", data.array("f", count)) if single else data.array("d", count)
    steps = _column(data, count)
    walls = _column(data, count)
    if not data.at_end():
        raise Damaged("it has bytes after its end")
    return steps, walls, values


class Block:
    """Consecutive steps of one rank: `names`, `steps`, `walls`, and the values of each name."""

    def __init__(self, stored):
        data = _Bytes(stored)
        if data.number("B") != _BLOCK_VERSION:
            raise Damaged("it is of a version that this reader does not know")
        count = data.number("I")
        self.names = []
        for _ in range(count):
            self.names.append(bytes(data.take(data.number("I"))).decode("utf-8", "replace"))
        rows = data.number("I")
        self.steps = data.array("q", rows)
        self.walls = data.array("q", rows)
        self._values = data.array("d", rows * count)
        if not data.at_end():
            raise Damaged("it has bytes after its end")

    def values(self, name):
        """The values of one name; None where the block has none of it."""
        if name not in self.names:
            return None
        return self._values[self.names.index(name)::len(self.names)]

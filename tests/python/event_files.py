# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads TensorBoard's event files by the published formats alone: TFRecord, protobuf's wire format, and the messages Event,
Summary and HParamsPluginData. Written for the tests, and sharing nothing with the program that is tested."""

import struct


def crc32c(data):
    """Bit by bit, as RFC 3720 defines it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        head = data[at:at + 8]
        (length,) = struct.unpack("<Q", head)
        (head_crc,) = struct.unpack_from("<I", data, at + 8)
        assert head_crc == masked(head), "length of the record at %d" % at
        body = data[at + 12:at + 12 + length]
        assert len(body) == length, "record at %d" % at
        (body_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert body_crc == masked(body), "record at %d" % at
        yield body
        at += 16 + length


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of a message: integers, and bytes of everything else."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            size = {1: 8, 5: 4}[kind]
            value, at = data[at:at + size], at + size
        yield number, value


def one(data, number, default=b""):
    found = [value for field, value in fields(data) if field == number]
    return found[-1] if found else default


def read(path):
    """({tag: [(step, wall seconds, value)]}, hyperparameters, group, end status) of an event file."""
    scalars, settings, group, status = {}, {}, None, None
    for place, event in enumerate(records(path.read_bytes())):
        if place == 0:
            assert one(event, 3) == b"brain.Event:2"
        (wall,) = struct.unpack("<d", one(event, 1))
        step = one(event, 2, 0)
        for number, value in fields(one(event, 5)):
            assert number == 1
            tag = one(value, 1).decode()
            simple = one(value, 2, None)
            if simple is not None:
                scalars.setdefault(tag, []).append((step, wall, struct.unpack("<f", simple)[0]))
                continue
            plugin = one(one(value, 9), 1)
            assert one(plugin, 1) == b"hparams"
            start, end = one(one(plugin, 2), 3, None), one(one(plugin, 2), 4, None)
            if start is not None:
                assert tag == "_hparams_/session_start_info"
                group = one(start, 4).decode()
                settings.update(setting(entry) for field, entry in fields(start) if field == 1)
            if end is not None:
                assert tag == "_hparams_/session_end_info"
                status = one(end, 1)
    return scalars, settings, group, status


def setting(entry):
    ((kind, value),) = fields(one(entry, 2))
    if kind == 2:
        return one(entry, 1).decode(), struct.unpack("<d", value)[0]
    return one(entry, 1).decode(), value.decode() if kind == 3 else bool(value)

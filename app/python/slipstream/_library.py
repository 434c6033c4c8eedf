# SPDX-License-Identifier: GPL-3.0-or-later
"""The C interface (slipstream.h) by ctypes: the same names without their prefix, failures as SlipstreamError."""

import ctypes
import ctypes.util
import os
import pathlib

ABI = 1
KINDS = {"weight": 0, "bias": 1, "norm": 2, "embedding": 3}

TrialLoss = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class SlipstreamError(RuntimeError):
    """What is wrong, where, and what to do about it."""


class Tensor(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("dimensions", ctypes.c_size_t),
        ("layer", ctypes.c_int),
        ("kind", ctypes.c_int),
    ]


class Step(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("step", ctypes.c_int64),
        ("micro_batches", ctypes.c_int),
        ("first_trained_layer", ctypes.c_int),
        ("share", ctypes.c_double),
        ("loss_scale", ctypes.c_double),
        ("samples", ctypes.c_int64),
    ]


class Outcome(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("updated", ctypes.c_int),
        ("overflow", ctypes.c_int),
        ("checkpoint_due", ctypes.c_int),
        ("stop", ctypes.c_int),
    ]


class Samples(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(ctypes.c_float)),
        ("labels", ctypes.POINTER(ctypes.c_int32)),
        ("count", ctypes.c_int64),
        ("height", ctypes.c_int64),
        ("width", ctypes.c_int64),
        ("channels", ctypes.c_int64),
        ("share", ctypes.c_double),
    ]


_RANK = ctypes.c_void_p
_INT, _INT64, _SIZE, _TEXT = ctypes.c_int, ctypes.c_int64, ctypes.c_size_t, ctypes.c_char_p
# Name: result, arguments, and whether a result is a failure.
_FUNCTIONS = {
    "join": (_RANK, [_INT], lambda result: not result),
    "number": (_INT, [_RANK], lambda result: result < 0),
    "ranks": (_INT, [_RANK], lambda result: result < 0),
    "device_number": (_INT, [_RANK], lambda result: result < 0),
    "is_on_host": (_INT, [_RANK], lambda result: result < 0),
    "setting": (_TEXT, [_RANK, _TEXT], lambda result: result is None),
    "describe": (_INT, [_RANK, ctypes.POINTER(Tensor), _SIZE], lambda result: result < 0),
    "is_fresh": (_INT, [_RANK], lambda result: result < 0),
    "weights": (_RANK, [_RANK], lambda result: not result),
    "gradients": (_RANK, [_RANK], lambda result: not result),
    "offset": (_INT64, [_RANK, _SIZE], lambda result: result < 0),
    "elements": (_INT64, [_RANK], lambda result: result < 0),
    "copies_gradients": (_INT, [_RANK], lambda result: result < 0),
    "restored": (_INT, [_RANK, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_SIZE)], lambda result: result < 0),
    "steps_done": (_INT64, [_RANK], lambda result: result < 0),
    "total_steps": (_INT64, [_RANK], lambda result: result < 0),
    "should_stop": (_INT, [_RANK], lambda result: result < 0),
    "begin": (_INT, [_RANK, ctypes.POINTER(Step)], lambda result: result < 0),
    "get_samples": (_INT, [_RANK, _INT, ctypes.POINTER(Samples)], lambda result: result < 0),
    "ready": (_INT, [_RANK, _SIZE, _INT], lambda result: result < 0),
    "flush_ready": (_INT, [_RANK], lambda result: result < 0),
    "finish": (_INT, [_RANK, ctypes.c_double, TrialLoss, ctypes.c_void_p, ctypes.POINTER(Outcome)],
               lambda result: result < 0),
    "record": (_INT, [_RANK, _TEXT, ctypes.c_double], lambda result: result < 0),
    "checkpoint": (_INT, [_RANK, _TEXT, _SIZE], lambda result: result < 0),
    "leave": (_INT, [_RANK], lambda result: result < 0),
    "fail": (None, [_RANK, _TEXT], lambda result: False),
}


def find_library():
    """The file of libslipstream.so: the one that belongs to the program that started this, else the system's."""
    named = os.environ.get("SLIPSTREAM_LIBRARY")
    if named:
        return named
    for prefix in pathlib.Path(__file__).resolve().parents:
        for place in ("lib/libslipstream.so", "lib/*/libslipstream.so", "lib64/libslipstream.so"):
            for file in sorted(prefix.glob(place)):
                return str(file)
    found = ctypes.util.find_library("slipstream")
    if found:
        return found
    raise SlipstreamError(
        "libslipstream.so is nowhere: start this program with `slipstream run`, or name the library's file in "
        "SLIPSTREAM_LIBRARY")


class Library:
    """The functions of slipstream.h."""

    def __init__(self, file=None):
        # Open MPI loads parts of its own that look for its symbols among those that all see; nothing else should be.
        for name in ("libmpi.so.40", "libmpi.so"):
            try:
                ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
                break
            except OSError:
                continue
        file = file or find_library()
        try:
            self._loaded = ctypes.CDLL(file)
        except OSError as error:
            raise SlipstreamError(f"{file} cannot be loaded ({error}): install Slipstream and Open MPI 4.1") from error
        self._file = file
        self._error, abi = self._symbol("error", _TEXT, []), self._symbol("abi", _INT, [])
        if abi() != ABI:
            raise SlipstreamError(
                f"{file} has interface {abi()}, this package is made for {ABI}: install both from one build")
        for name, (result, arguments, failed) in _FUNCTIONS.items():
            setattr(self, name, self._function(name, result, arguments, failed))

    def _symbol(self, name, result, arguments):
        try:
            function = getattr(self._loaded, "slipstream_" + name)
        except AttributeError as error:
            raise SlipstreamError(f"{self._file} is older than this package (it has no slipstream_{name}): install both "
                                  "from one build") from error
        function.restype, function.argtypes = result, arguments
        return function

    def _function(self, name, result, arguments, failed):
        function = self._symbol(name, result, arguments)

        def call(*values):
            answer = function(*values)
            if failed(answer):
                raise SlipstreamError(self._error().decode("utf-8", "replace"))
            return answer

        return call

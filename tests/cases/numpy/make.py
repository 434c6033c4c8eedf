# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the files beside it with numpy 1.24; tests/interchange/array_files_test.cpp knows their values."""
import pathlib

import numpy as np

folder = pathlib.Path(__file__).resolve().parent
arrays = folder / "arrays"
arrays.mkdir(exist_ok=True)

# Every type, with values that only it holds: its ends, and what rounding to fp32 changes.
types = {
    "bool": [False, True, True],
    "uint8": [0, 1, 255],
    "int8": [-128, 0, 127],
    "uint16": [0, 256, 65535],
    "int16": [-32768, 0, 32767],
    "uint32": [0, 65536, 4294967295],
    "int32": [-2147483648, 0, 2147483647],
    "uint64": [0, 4294967296, 9223372036854775807],
    "int64": [-9223372036854775808, 16777217, 9223372036854775807],
    "float16": [-2.0, 2.0**-24, 65504.0],
    "float32": [-2.0, 0.5, 2.0**127],
    "float64": [-2.0, 0.1, 2.0**-149],
}
np.savez(folder / "types.npz", **{name: np.array(values, dtype=name) for name, values in types.items()})

images = (np.arange(2 * 3 * 4, dtype=np.uint8) * 10).reshape(2, 3, 4)
labels = np.array([7, -1])
np.savez(folder / "stored.npz", x_train=images, y_train=labels, scale=np.float32(0.25), none=np.zeros((0, 5)))
np.savez_compressed(folder / "deflated.npz", x_train=images, y_train=labels, blank=np.zeros((100, 1000)))

np.save(arrays / "x.npy", images)
for version in ((2, 0), (3, 0)):
    with open(arrays / f"version{version[0]}.npy", "wb") as file:
        np.lib.format.write_array(file, labels, version=version)

# What is refused.
np.save(arrays / "by_columns.npy", np.asfortranarray(images))
np.save(arrays / "big_endian.npy", labels.astype(">i8"))
np.save(arrays / "objects.npy", np.array([None, {}]), allow_pickle=True)
np.save(arrays / "texts.npy", np.array(["a", "bc"]))
np.save(arrays / "complex.npy", np.array([1j]))
np.save(arrays / "times.npy", np.array(["2026-01-01"], dtype="M8[D]"))
np.save(arrays / "fields.npy", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4", (2,))]))

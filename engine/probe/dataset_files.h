// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/probe/dataset_kind.h"
#include "engine/probe/idx.h"

namespace slipstream {

/// Takes one record of a CIFAR-10 file: its label 0..9, and 3 planes (red, green, blue) of 32 x 32 bytes.
using CifarSink = std::function<void(std::uint8_t label, std::span<const std::uint8_t> planes)>;

/// The binary batches of a part, plain or .gz, by number: data_batch_*.bin or test_batch.bin in the folder itself or
/// in its sub-folder cifar-10-batches-bin. Empty where none is there.
std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder, DataPart part);

/// Reads a file through; the number of its records. Fails, naming file and record, where it is cut off or damaged or
/// has a label above 9.
Result<std::int64_t> readCifar(const std::filesystem::path& file, const CifarSink& sink);

/// CIFAR-10 in its binary batches.
const DatasetKind& cifar10Kind();

/// The file of an idx data set: STEM-idxN-ubyte or STEM.idxN-ubyte, plain or .gz, in `folder` or in its sub-folder
/// train or test; else what is there in the place of one, such as a folder; nothing where nothing is. `stem` is
/// "train-images", `dimensions` the N.
std::optional<std::filesystem::path> idxFile(const std::filesystem::path& folder, const std::string& stem,
                                             int dimensions);

/// Reads both files of a part through, all images and all labels in order; the number of its samples. Fails, naming the
/// file, where one is missing or damaged, is of another kind or size, or has a label above 9, and where the files do
/// not belong together: the sinks may have taken what came before.
Result<std::int64_t> readMnist(const std::filesystem::path& folder, DataPart part, const IdxSink& images,
                               const IdxSink& labels);

/// MNIST in its four files, which are read through to count them.
const DatasetKind& mnistKind();

}  // namespace slipstream

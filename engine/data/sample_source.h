// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/dataset.h"
#include "engine/probe/image_folder.h"

namespace slipstream {

/// A sample that was not to be skipped cannot be read: what a file of the user's data holds.
class UnreadableSample : public Error {
 public:
  using Error::Error;
};

/// Prepares samples, one at a time. One thread's own.
class SampleReader {
 public:
  virtual ~SampleReader() = default;
  /// Writes the image of `sample` (the shape's elements, NHWC) and returns its label. What it draws follows from the
  /// source's seed, the sample and the draw key alone. Fails, naming the file, where that cannot be read.
  virtual Result<std::int32_t> read(std::uint32_t sample, const DrawKey& drawKey, std::span<std::uint8_t> picture) = 0;
  /// The same of a source of floats: normalised, as the network reads them.
  virtual Result<std::int32_t> readFloats(std::uint32_t sample, std::span<float> values);
  /// Fails where a short inspection finds that it cannot be read; then read() fails too.
  virtual Status inspect(std::uint32_t /*sample*/) { return {}; }
};

/// One part of a data set, as a network takes it. For many threads.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  virtual SampleShape shape() const = 0;
  /// Whether its samples are floats, to be read by readFloats().
  virtual bool floats() const { return false; }
  virtual std::int64_t count() const = 0;
  virtual std::unique_ptr<SampleReader> reader() const = 0;
};

/// What a rank keeps of a part: its images, or the list of its files.
using PartContent = std::variant<Images, ImageList>;

/// Bytes of the images; a list counts for nothing.
std::int64_t bytesOf(const PartContent& content);

/// Reads, generates or lists one part. Failures name place and remedy.
Result<PartContent> loadPart(const DatasetSpec& spec, DataPart part, std::uint64_t seed);

/// The part's samples. `content` must live as long. Training images of cifar10 and image_folder are cropped and
/// flipped at random where the data set says so.
std::unique_ptr<SampleSource> makeSource(const PartContent& content, const DatasetSpec& spec, DataPart part,
                                         std::uint64_t seed);

}  // namespace slipstream

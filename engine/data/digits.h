// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/base/failure.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// Images that look like handwritten digits, drawn by this program: strokes of one of several ways to write the
/// digit, bent, slanted, shifted, of varying thickness and ink, on a noisy ground. Image i depends on seed, part and
/// i only.
///
/// An image is drawn when it is first read, and kept: of a rank that reads its share of an epoch the others take
/// neither time nor memory. Copies share what was drawn. For many threads.
class DrawnDigits {
 public:
  /// Fails for less than one image, naming the key.
  static Result<DrawnDigits> make(const DatasetSpec& spec, DataPart part, std::uint64_t seed);

  static SampleShape shape();
  std::int64_t count() const { return count_; }
  /// Of all images, once they are drawn.
  std::int64_t bytes() const { return count_ * shape().elements(); }
  /// Writes the image (28 x 28) and returns its label. Throws Error for one that there is not.
  std::int32_t read(std::uint32_t image, std::span<std::uint8_t> pixels) const;

 private:
  class Kept;
  DrawnDigits(std::int64_t count, std::uint64_t firstNumber, std::uint64_t seed);

  std::int64_t count_;
  std::uint64_t firstNumber_;
  std::uint64_t seed_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/data/augmentation.h"
#include "engine/data/image_part.h"

namespace slipstream {

/// Whether a file begins with PNG's signature.
bool beginsAsPng(std::span<const std::uint8_t> head);
/// Whether a file whose last bytes (`tailBytes`, or all) these are ends with the end chunk, or some bytes of padding
/// behind it.
bool endsAsPng(std::span<const std::uint8_t> tail);

/// Decodes PNG files from memory, one after the other, with libpng. Whatever the bytes are, the answer is an image or a
/// sentence; memory follows the size that a file of its length can have. One thread's own.
class PngDecoder {
 public:
  PngDecoder();
  ~PngDecoder();
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  /// Reads the header. `file` must live until decode() has returned.
  Decoded<ImageSize> open(std::span<const std::uint8_t> file) { return openHead(file, std::ssize(file)); }
  /// Reads the header of a file of so many bytes, of which only the first are there: decode() must not follow.
  Decoded<ImageSize> openHead(std::span<const std::uint8_t> head, std::int64_t fileBytes);

  /// Decodes a box of the opened image scaled by `eighths` / 8 (1, 2, 4 or 8): the box is in scaled pixels, of which
  /// there are ceil(size * eighths / 8), each the mean of those that it stands for. Grey and palettes become RGB, 16
  /// bits are rounded to 8; transparency, gamma and colour profiles are dropped, as torchvision drops them. Data that
  /// end too early are an error also where the missing rows are not in the box.
  Decoded<void> decode(int eighths, PixelBox box, ImagePart& part);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipstream

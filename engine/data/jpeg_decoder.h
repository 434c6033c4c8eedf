// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/data/augmentation.h"
#include "engine/data/image_part.h"

namespace slipstream {

/// Whether a file whose last bytes (`tailBytes`, or all) these are ends with the end marker, or some bytes of padding
/// behind it.
bool endsAsJpeg(std::span<const std::uint8_t> tail);

/// Decodes JPEG files from memory, one after the other, with libjpeg-turbo. Whatever the bytes are, the answer is an
/// image or a sentence; memory follows the size that a file of its length can have. One thread's own.
class JpegDecoder {
 public:
  JpegDecoder();
  ~JpegDecoder();
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  /// Reads the header. `file` must live until decode() has returned.
  Decoded<ImageSize> open(std::span<const std::uint8_t> file) { return openHead(file, std::ssize(file)); }
  /// Reads the header of a file of so many bytes, of which only the first are there: decode() must not follow.
  Decoded<ImageSize> openHead(std::span<const std::uint8_t> head, std::int64_t fileBytes);

  /// Decodes a box of the opened image scaled by `eighths` / 8 (1, 2, 4 or 8): the box is in scaled pixels, of which
  /// there are ceil(size * eighths / 8). Grey, CMYK and YCCK become RGB. Data that end too early are an error also
  /// where the missing rows are not in the box. Every value is the same as in the whole image.
  Decoded<void> decode(int eighths, PixelBox box, ImagePart& part);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipstream

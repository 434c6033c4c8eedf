// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/jpeg_decoder.h"
#include "engine/data/png_decoder.h"

namespace slipstream {

/// Decodes JPEG and PNG files from memory, one after the other; which of the two a file is, its first bytes say,
/// whatever its name is. One thread's own.
class ImageDecoder {
 public:
  /// Reads the header. `file` must live until decode() has returned.
  Decoded<ImageSize> open(std::span<const std::uint8_t> file) { return openHead(file, std::ssize(file)); }
  /// Reads the header of a file of so many bytes, of which only the first are there: decode() must not follow.
  Decoded<ImageSize> openHead(std::span<const std::uint8_t> head, std::int64_t fileBytes);
  /// Whether the opened file, whose last bytes (`tailBytes`, or all) these are, ends as one of its format does.
  bool endsProperly(std::span<const std::uint8_t> tail) const;
  /// Of the opened file: "JPEG", "PNG", or "JPEG or PNG" where it is neither.
  const char* formatName() const;

  /// Decodes a box of the opened image, scaled by `eighths` / 8 (1, 2, 4 or 8), to RGB: as JpegDecoder and PngDecoder
  /// do.
  Decoded<void> decode(int eighths, PixelBox box, ImagePart& part);

 private:
  enum class Format { neither, jpeg, png };

  Format format_ = Format::neither;
  JpegDecoder jpeg_;
  PngDecoder png_;
};

}  // namespace slipstream

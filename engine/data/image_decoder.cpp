// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/image_decoder.h"

namespace slipstream {
namespace {

bool beginsAsJpeg(std::span<const std::uint8_t> head) {
  return head.size() >= 2 && head[0] == 0xFF && head[1] == 0xD8;
}

}  // namespace

Decoded<ImageSize> ImageDecoder::openHead(std::span<const std::uint8_t> head, std::int64_t fileBytes) {
  format_ = beginsAsPng(head) ? Format::png : beginsAsJpeg(head) ? Format::jpeg : Format::neither;
  if (format_ == Format::png) return png_.openHead(head, fileBytes);
  if (format_ == Format::jpeg) return jpeg_.openHead(head, fileBytes);
  return tl::unexpected(std::string(head.empty() ? "it is empty" : "its first bytes are those of neither"));
}

bool ImageDecoder::endsProperly(std::span<const std::uint8_t> tail) const {
  return (format_ == Format::png && endsAsPng(tail)) || (format_ == Format::jpeg && endsAsJpeg(tail));
}

const char* ImageDecoder::formatName() const {
  if (format_ == Format::neither) return "JPEG or PNG";
  return format_ == Format::png ? "PNG" : "JPEG";
}

Decoded<void> ImageDecoder::decode(int eighths, PixelBox box, ImagePart& part) {
  return format_ == Format::png ? png_.decode(eighths, box, part) : jpeg_.decode(eighths, box, part);
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/jpeg_decoder.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>

#include <fmt/format.h>
// Needs size_t and FILE from above.
#include <jerror.h>
#include <jpeglib.h>

namespace slipstream {
namespace {

/// More would take gigabytes for a progressive file; ImageNet's largest has 61 million.
constexpr std::int64_t mostPixels = 100'000'000;
/// A block of 8 x 8 pixels takes at least one bit of a file that is not arithmetically coded.
constexpr std::int64_t mostPixelsPerByte = 512;
/// Scans of a progressive file each go over all of its coefficients.
constexpr int mostScans = 200;

/// Words about a file that say nothing about its pixels.
bool isHarmless(int code) {
  return code == JWRN_ADOBE_XFORM || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR ||
         code == JWRN_TOO_MUCH_DATA;
}

/// libjpeg's error handling: everything that it has to say about an image ends the call.
struct ErrorHandling {
  jpeg_error_mgr base{};
  std::jmp_buf back{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void giveUp(j_common_ptr picture) {
  auto* errors = reinterpret_cast<ErrorHandling*>(picture->err);
  errors->base.format_message(picture, errors->message.data());
  std::longjmp(errors->back, 1);
}

void onMessage(j_common_ptr picture, int level) {
  if (level < 0 && !isHarmless(picture->err->msg_code)) giveUp(picture);
}

void ignoreOutput(j_common_ptr) {}

void limitScans(j_common_ptr picture) {
  if (!picture->is_decompressor || reinterpret_cast<j_decompress_ptr>(picture)->input_scan_number <= mostScans) return;
  auto* errors = reinterpret_cast<ErrorHandling*>(picture->err);
  std::snprintf(errors->message.data(), errors->message.size(), "it has more than %d scans", mostScans);
  std::longjmp(errors->back, 1);
}

/// CMYK without a profile: Adobe's files hold it inverted.
void toRgb(const std::uint8_t* cmyk, std::int64_t pixels, bool inverted, std::uint8_t* rgb) {
  for (std::int64_t i = 0; i < pixels; ++i) {
    const int flip = inverted ? 0 : 255;
    const int black = std::abs(flip - cmyk[4 * i + 3]);
    for (int channel = 0; channel < 3; ++channel) {
      rgb[3 * i + channel] = static_cast<std::uint8_t>((std::abs(flip - cmyk[4 * i + channel]) * black + 127) / 255);
    }
  }
}

/// Never shrinks: growing again would clear what is overwritten anyway.
void growTo(std::vector<std::uint8_t>& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

bool endsAsJpeg(std::span<const std::uint8_t> tail) {
  const auto end = tail.last(std::min(tail.size(), tailBytes));
  constexpr std::array<std::uint8_t, 2> marker{0xFF, JPEG_EOI};
  return !std::ranges::search(end, marker).empty();
}

struct JpegDecoder::State {
  jpeg_decompress_struct picture{};
  ErrorHandling errors;
  jpeg_progress_mgr progress{};
  std::span<const std::uint8_t> file;
  std::vector<std::uint8_t> spareRow;  ///< of four channels, or of rows that nobody needs
  std::vector<JSAMPROW> rows;          ///< of the part
  ImagePart* part = nullptr;

  State() {
    picture.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = giveUp;
    errors.base.emit_message = onMessage;
    errors.base.output_message = ignoreOutput;
    progress.progress_monitor = limitScans;
    jpeg_create_decompress(&picture);
    picture.progress = &progress;
  }
  ~State() { jpeg_destroy_decompress(&picture); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Runs a call that libjpeg may leave by a jump: it and what it calls hold nothing that must be destroyed.
  template <class Call>
  Decoded<void> guarded(Call call) {
    if (setjmp(errors.back) != 0) {
      jpeg_abort_decompress(&picture);
      return tl::unexpected(std::string(errors.message.data()));
    }
    call();
    return {};
  }

  tl::unexpected<std::string> refuse(std::string what) {
    jpeg_abort_decompress(&picture);
    return tl::unexpected(std::move(what));
  }

  void start(int eighths) {
    picture.scale_num = static_cast<unsigned>(eighths);
    picture.scale_denom = 8;
    const bool quad = picture.jpeg_color_space == JCS_CMYK || picture.jpeg_color_space == JCS_YCCK;
    picture.out_color_space = quad ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&picture);
  }

  void readRows() {
    if (part->box.top > 0) jpeg_skip_scanlines(&picture, static_cast<JDIMENSION>(part->box.top));
    if (picture.out_color_space == JCS_CMYK) return readMixedRows();
    const auto bottom = static_cast<JDIMENSION>(part->box.bottom);
    JSAMPROW* row = rows.data();
    while (picture.output_scanline < bottom) {
      row += jpeg_read_scanlines(&picture, row, bottom - picture.output_scanline);
    }
  }

  void readMixedRows() {
    for (JSAMPROW row : rows) {
      JSAMPROW target = spareRow.data();
      jpeg_read_scanlines(&picture, &target, 1);
      toRgb(target, part->box.right - part->box.left, picture.saw_Adobe_marker != 0, row);
    }
  }

  /// What comes after the last row that is needed must be there, whoever needs it.
  void finish() {
    if (endsAsJpeg(file)) return jpeg_abort_decompress(&picture);
    JSAMPROW spare = spareRow.data();
    while (picture.output_scanline < picture.output_height) jpeg_read_scanlines(&picture, &spare, 1);
    jpeg_finish_decompress(&picture);
  }
};

JpegDecoder::JpegDecoder() : state_(std::make_unique<State>()) {}
JpegDecoder::~JpegDecoder() = default;

Decoded<ImageSize> JpegDecoder::openHead(std::span<const std::uint8_t> file, std::int64_t fileBytes) {
  State& state = *state_;
  jpeg_decompress_struct& picture = state.picture;
  state.file = file;
  const auto read = state.guarded([&] {
    jpeg_abort_decompress(&picture);
    jpeg_mem_src(&picture, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&picture, TRUE);
  });
  if (!read) return tl::unexpected(read.error());
  const ImageSize size{picture.image_height, picture.image_width};
  const std::int64_t pixels = size.height * size.width;
  if (pixels > mostPixels) {
    return state.refuse(fmt::format("its header says {} x {} pixels, which is more than {} in all", size.width,
                                    size.height, mostPixels));
  }
  if (picture.arith_code == 0 && pixels > mostPixelsPerByte * fileBytes) {
    return state.refuse(
        fmt::format("its header says {} x {} pixels, which {} bytes cannot hold", size.width, size.height, fileBytes));
  }
  if (picture.jpeg_color_space == JCS_UNKNOWN) {
    return state.refuse(fmt::format("it has {} channels of no known meaning", picture.num_components));
  }
  return size;
}

Decoded<void> JpegDecoder::decode(int eighths, PixelBox box, ImagePart& part) {
  State& state = *state_;
  jpeg_decompress_struct& picture = state.picture;
  JDIMENSION left = 0;
  JDIMENSION width = 0;
  const auto started = state.guarded([&] {
    state.start(eighths);
    // Chroma between columns is made from both neighbours: with one more on each side the outermost ones are right.
    constexpr std::int64_t margin = 2;
    const auto first = std::max<std::int64_t>(0, box.left - margin);
    const auto end = std::min<std::int64_t>(picture.output_width, box.right + margin);
    left = static_cast<JDIMENSION>(first);
    width = static_cast<JDIMENSION>(end - first);
    if (width < picture.output_width) jpeg_crop_scanline(&picture, &left, &width);
  });
  if (!started) return started;
  part.box = {box.top, left, box.bottom, static_cast<std::int64_t>(left) + width};
  part.stride = 3 * static_cast<std::int64_t>(width);
  growTo(part.values, static_cast<std::size_t>((box.bottom - box.top) * part.stride) + ImagePart::padding);
  growTo(state.spareRow, 4 * static_cast<std::size_t>(width));
  state.rows.resize(static_cast<std::size_t>(box.bottom - box.top));
  for (std::size_t y = 0; y < state.rows.size(); ++y) {
    state.rows[y] = part.values.data() + static_cast<std::int64_t>(y) * part.stride;
  }
  state.part = &part;
  return state.guarded([&] {
    state.readRows();
    state.finish();
  });
}

}  // namespace slipstream

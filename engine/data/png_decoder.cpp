// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/png_decoder.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

namespace slipstream {
namespace {

/// As many as of a JPEG file: an interlaced one is held whole, in 300 MB.
constexpr std::int64_t mostPixels = 100'000'000;
/// A byte of deflate stands for at most this many.
constexpr std::int64_t mostBytesPerDeflated = 1032;
constexpr std::int64_t channels = 3;

constexpr std::array<std::uint8_t, 8> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
/// The end chunk, which is always the same: length, name, checksum.
constexpr std::array<std::uint8_t, 12> endChunk{0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};

/// The mean of squares of pixels, taken row by row of the image. `sums` and `target` have the columns of the box.
class BlockMeans {
 public:
  BlockMeans(std::int64_t side, ImageSize size, PixelBox box) : side_(side), size_(size), box_(box) {
    sums_.resize(static_cast<std::size_t>((box.right - box.left) * channels));
  }

  /// Rows of the image that the box needs.
  std::int64_t firstRow() const { return box_.top * side_; }
  std::int64_t endRow() const { return std::min(box_.bottom * side_, size_.height); }

  /// Rows follow on each other from firstRow() on. No exception is thrown: libpng's frames are below.
  void add(std::int64_t y, const std::uint8_t* row, ImagePart& part) noexcept {
    std::uint8_t* target = part.values.data() + (y / side_ - box_.top) * part.stride;
    if (side_ == 1) {
      std::memcpy(target, row + box_.left * channels, static_cast<std::size_t>(part.stride));
      return;
    }
    if (y % side_ == 0) std::ranges::fill(sums_, 0U);
    addColumns(row);
    if (y % side_ == side_ - 1 || y == size_.height - 1) writeMeans(y % side_ + 1, target);
  }

 private:
  std::int64_t widthOf(std::int64_t column) const { return std::min(side_, size_.width - column * side_); }

  void addColumns(const std::uint8_t* row) noexcept {
    std::uint32_t* sum = sums_.data();
    for (std::int64_t column = box_.left; column < box_.right; ++column, sum += channels) {
      const std::uint8_t* pixel = row + column * side_ * channels;
      for (std::int64_t i = widthOf(column); i > 0; --i, pixel += channels) {
        for (std::int64_t channel = 0; channel < channels; ++channel) sum[channel] += pixel[channel];
      }
    }
  }

  void writeMeans(std::int64_t rows, std::uint8_t* target) const noexcept {
    const std::uint32_t* sum = sums_.data();
    for (std::int64_t column = box_.left; column < box_.right; ++column) {
      const auto pixels = static_cast<std::uint32_t>(rows * widthOf(column));
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        *target++ = static_cast<std::uint8_t>((*sum++ + pixels / 2) / pixels);
      }
    }
  }

  std::int64_t side_;
  ImageSize size_;
  PixelBox box_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace

bool beginsAsPng(std::span<const std::uint8_t> head) {
  return head.size() >= signature.size() && std::ranges::equal(head.first(signature.size()), signature);
}

bool endsAsPng(std::span<const std::uint8_t> tail) {
  const auto end = tail.last(std::min(tail.size(), tailBytes));
  return !std::ranges::search(end, endChunk).empty();
}

struct PngDecoder::State {
  png_structp picture = nullptr;
  png_infop info = nullptr;
  std::jmp_buf back{};
  std::array<char, 200> message{};
  std::span<const std::uint8_t> file;
  std::size_t at = 0;
  ImageSize size;
  bool interlaced = false;
  std::vector<std::uint8_t> row;  ///< RGB

  State() = default;
  ~State() { close(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void close() { png_destroy_read_struct(&picture, &info, nullptr); }

  /// What libpng calls on an error, instead of writing to stderr and ending the program.
  [[noreturn]] static void giveUp(png_structp picture, png_const_charp text) {
    auto* state = static_cast<State*>(png_get_error_ptr(picture));
    std::strncpy(state->message.data(), text, state->message.size() - 1);
    std::longjmp(state->back, 1);
  }

  /// Warnings are about chunks that say nothing about pixels.
  static void ignoreWarning(png_structp, png_const_charp) {}

  static void readBytes(png_structp picture, png_bytep bytes, png_size_t count) {
    auto* state = static_cast<State*>(png_get_io_ptr(picture));
    if (count > state->file.size() - state->at) png_error(picture, "it ends too early");
    std::memcpy(bytes, state->file.data() + state->at, count);
    state->at += count;
  }

  /// Runs a call that libpng may leave by a jump: it and what it calls hold nothing that must be destroyed, and throw
  /// nothing.
  template <class Call>
  Decoded<void> guarded(Call call) {
    if (setjmp(back) != 0) {
      close();
      return tl::unexpected(std::string(message.data()));
    }
    call();
    return {};
  }

  tl::unexpected<std::string> refuse(std::string what) {
    close();
    return tl::unexpected(std::move(what));
  }

  void readHeader() {
    picture = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, giveUp, ignoreWarning);
    if (picture != nullptr) info = png_create_info_struct(picture);
    if (info == nullptr) return;
    // Text, profiles and the like are neither kept nor looked at.
    png_set_keep_unknown_chunks(picture, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_read_fn(picture, this, readBytes);
    png_read_info(picture, info);
  }

  void askForRgb() {
    png_set_palette_to_rgb(picture);
    png_set_expand_gray_1_2_4_to_8(picture);
    png_set_scale_16(picture);
    png_set_gray_to_rgb(picture);
    png_set_strip_alpha(picture);
    if (interlaced) png_set_interlace_handling(picture);
    png_read_update_info(picture, info);
    const auto wanted = static_cast<std::size_t>(size.width * channels);
    if (png_get_rowbytes(picture, info) != wanted) png_error(picture, "its rows do not become RGB");
  }

  /// Row by row, to the last one that is needed.
  void readRows(BlockMeans& means, ImagePart& part) {
    std::int64_t y = 0;
    for (; y < means.endRow(); ++y) {
      png_read_row(picture, row.data(), nullptr);
      if (y >= means.firstRow()) means.add(y, row.data(), part);
    }
    finish(y);
  }

  /// What comes after the last row that is needed must be there, whoever needs it.
  void finish(std::int64_t y) {
    if (y < size.height && endsAsPng(file)) return;
    for (; y < size.height; ++y) png_read_row(picture, row.data(), nullptr);
    png_read_end(picture, nullptr);
  }

  Decoded<void> decodeRows(BlockMeans& means, ImagePart& part) {
    return guarded([&] { readRows(means, part); });
  }

  /// All passes over the whole image.
  Decoded<void> decodePasses(BlockMeans& means, ImagePart& part) {
    const auto stride = static_cast<std::size_t>(size.width * channels);
    std::vector<std::uint8_t> image(static_cast<std::size_t>(size.height) * stride);
    std::vector<png_bytep> rows(static_cast<std::size_t>(size.height));
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = image.data() + y * stride;
    auto read = guarded([&] {
      png_read_image(picture, rows.data());
      png_read_end(picture, nullptr);
    });
    if (!read) return read;
    for (std::int64_t y = means.firstRow(); y < means.endRow(); ++y) {
      means.add(y, rows[static_cast<std::size_t>(y)], part);
    }
    return {};
  }
};

PngDecoder::PngDecoder() : state_(std::make_unique<State>()) {}
PngDecoder::~PngDecoder() = default;

Decoded<ImageSize> PngDecoder::openHead(std::span<const std::uint8_t> head, std::int64_t fileBytes) {
  State& state = *state_;
  state.close();
  if (!beginsAsPng(head)) return tl::unexpected(std::string("it does not begin as a PNG file does"));
  state.file = head;
  state.at = 0;
  const auto read = state.guarded([&] { state.readHeader(); });
  if (!read) return tl::unexpected(read.error());
  if (state.info == nullptr) return state.refuse("there is no memory for it");
  const ImageSize size{png_get_image_height(state.picture, state.info), png_get_image_width(state.picture, state.info)};
  if (size.height * size.width > mostPixels) {
    return state.refuse(fmt::format("its header says {} x {} pixels, which is more than {} in all", size.width,
                                    size.height, mostPixels));
  }
  const auto rowBytes = static_cast<std::int64_t>(png_get_rowbytes(state.picture, state.info));
  if (rowBytes * size.height > mostBytesPerDeflated * fileBytes) {
    return state.refuse(
        fmt::format("its header says {} x {} pixels, which {} bytes cannot hold", size.width, size.height, fileBytes));
  }
  state.size = size;
  state.interlaced = png_get_interlace_type(state.picture, state.info) != PNG_INTERLACE_NONE;
  return size;
}

Decoded<void> PngDecoder::decode(int eighths, PixelBox box, ImagePart& part) {
  State& state = *state_;
  if (state.picture == nullptr) return state.refuse("it is not open");
  BlockMeans means(8 / eighths, state.size, box);
  part.box = box;
  part.stride = (box.right - box.left) * channels;
  const auto needed = static_cast<std::size_t>((box.bottom - box.top) * part.stride) + ImagePart::padding;
  if (part.values.size() < needed) part.values.resize(needed);
  const auto rowBytes = static_cast<std::size_t>(state.size.width * channels);
  if (state.row.size() < rowBytes) state.row.resize(rowBytes);
  if (auto asked = state.guarded([&] { state.askForRgb(); }); !asked) return asked;
  auto decoded = state.interlaced ? state.decodePasses(means, part) : state.decodeRows(means, part);
  state.close();
  return decoded;
}

}  // namespace slipstream

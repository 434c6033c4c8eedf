// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/image_input.h"

#include <array>
#include <vector>

#include "engine/base/chunks.h"
#include "engine/base/error.h"
#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

constexpr double byteSteps = 255;

using ByteTable = std::array<float, 256>;

SLIPSTREAM_PROCESSOR_CLONES void lookUp(const ByteTable& table, const std::uint8_t* __restrict bytes,
                                        float* __restrict values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = table[bytes[i]];
}

class TableInput final : public ImageInput {
 public:
  explicit TableInput(const ImageNormalization& normalization) {
    const auto& [mean, deviation] = normalization;
    if (mean.empty() || mean.size() != deviation.size()) throw Error("there must be one mean and deviation a channel");
    for (std::size_t channel = 0; channel < mean.size(); ++channel) {
      auto& table = tables_.emplace_back();
      for (std::size_t byte = 0; byte < table.size(); ++byte) {
        table[byte] = static_cast<float>((static_cast<double>(byte) / byteSteps - mean[channel]) / deviation[channel]);
      }
    }
  }

  void normalize(std::span<const std::uint8_t> pictures, Activation to) override {
    const std::size_t channels = tables_.size();
    if (pictures.size() != to.size() || pictures.size() % channels != 0)
      throw Error("images are normalized to another number of values");
    auto* values = to.as<float>();
    const std::size_t pixels = pictures.size() / channels;
    forEachRows(pixels, channels, [&](std::size_t first, std::size_t count) {
      const std::uint8_t* from = pictures.data() + first * channels;
      if (channels == 1) return lookUp(tables_.front(), from, values + first, count);
      float* next = values + first * channels;
      for (std::size_t pixel = 0; pixel < count; ++pixel) {
        for (const ByteTable& table : tables_) *next++ = table[*from++];
      }
    });
  }

 private:
  std::vector<ByteTable> tables_;  ///< of a channel, by byte
};

}  // namespace

std::unique_ptr<ImageInput> makeImageInput(Device&, const ImageNormalization& normalization) {
  return std::make_unique<TableInput>(normalization);
}

}  // namespace slipstream

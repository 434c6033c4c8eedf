// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/memory_source.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/data/augmentation.h"
#include "engine/spec/image_normalization.h"

namespace slipstream {
namespace {

constexpr std::int64_t padding = 4;

/// The part of a padded image that is taken: its corner in the image's own pixels.
struct Crop {
  std::int64_t top = 0;
  std::int64_t left = 0;
  bool flipped = false;
};

Crop drawCrop(Random random) {
  Crop crop;
  crop.top = static_cast<std::int64_t>(random.below(2 * padding + 1)) - padding;
  crop.left = static_cast<std::int64_t>(random.below(2 * padding + 1)) - padding;
  crop.flipped = random.below(2) == 1;
  return crop;
}

class MemorySource final : public SampleSource {
 public:
  MemorySource(const Images& images, bool augment, std::uint64_t seed)
      : images_(images), augment_(augment), seed_(seed) {}

  SampleShape shape() const override { return images_.shape; }
  std::int64_t count() const override { return images_.count(); }
  std::unique_ptr<SampleReader> reader() const override;

  std::int32_t read(std::uint32_t sample, const DrawKey& drawKey, std::span<std::uint8_t> picture) const {
    if (static_cast<std::int64_t>(sample) >= images_.count()) throw Error("a sample that the data set does not have");
    const auto* pixels = images_.pixels.data() + sample * static_cast<std::size_t>(images_.shape.elements());
    if (augment_) {
      copy(pixels, drawCrop(randomOf(seed_, sample, drawKey)), picture);
    } else {
      std::copy_n(pixels, picture.size(), picture.begin());
    }
    return images_.labels[sample];
  }

 private:
  void copy(const std::uint8_t* pixels, const Crop& crop, std::span<std::uint8_t> picture) const {
    const auto [height, width, channels] = images_.shape;
    std::size_t written = 0;
    for (std::int64_t y = crop.top; y < crop.top + height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t column = crop.left + (crop.flipped ? width - 1 - x : x);
        const bool inside = y >= 0 && y < height && column >= 0 && column < width;
        const std::uint8_t* pixel = pixels + (inside ? (y * width + column) * channels : 0);
        for (std::int64_t channel = 0; channel < channels; ++channel) {
          picture[written++] = inside ? pixel[channel] : std::uint8_t{0};
        }
      }
    }
  }

  const Images& images_;
  bool augment_;
  std::uint64_t seed_;
};

class MemoryReader final : public SampleReader {
 public:
  explicit MemoryReader(const MemorySource& source) : source_(source) {}
  Result<std::int32_t> read(std::uint32_t sample, const DrawKey& drawKey, std::span<std::uint8_t> picture) override {
    return source_.read(sample, drawKey, picture);
  }

 private:
  const MemorySource& source_;
};

std::unique_ptr<SampleReader> MemorySource::reader() const {
  return std::make_unique<MemoryReader>(*this);
}

class FloatSource final : public SampleSource {
 public:
  FloatSource(const Images& images, const DatasetSpec& spec)
      : images_(images), normalization_(normalizationOf(spec, images.shape.channels)) {}

  SampleShape shape() const override { return images_.shape; }
  std::int64_t count() const override { return images_.count(); }
  bool floats() const override { return true; }
  std::unique_ptr<SampleReader> reader() const override;

  std::int32_t read(std::uint32_t sample, std::span<float> values) const {
    if (static_cast<std::int64_t>(sample) >= images_.count()) throw Error("a sample that the data set does not have");
    const auto& [mean, deviation] = normalization_;
    const float* stored = images_.floats.data() + sample * values.size();
    for (std::size_t at = 0; at < values.size();) {
      for (std::size_t channel = 0; channel < mean.size(); ++channel, ++at) {
        values[at] = static_cast<float>((static_cast<double>(stored[at]) - mean[channel]) / deviation[channel]);
      }
    }
    return images_.labels[sample];
  }

 private:
  const Images& images_;
  ImageNormalization normalization_;
};

class FloatReader final : public SampleReader {
 public:
  explicit FloatReader(const FloatSource& source) : source_(source) {}
  Result<std::int32_t> read(std::uint32_t, const DrawKey&, std::span<std::uint8_t>) override {
    throw Error("the samples are floats, not images");
  }
  Result<std::int32_t> readFloats(std::uint32_t sample, std::span<float> values) override {
    return source_.read(sample, values);
  }

 private:
  const FloatSource& source_;
};

std::unique_ptr<SampleReader> FloatSource::reader() const {
  return std::make_unique<FloatReader>(*this);
}

}  // namespace

std::unique_ptr<SampleSource> makeFloatSource(const Images& images, const DatasetSpec& spec) {
  return std::make_unique<FloatSource>(images, spec);
}

std::unique_ptr<SampleSource> makeMemorySource(const Images& images, bool augment, std::uint64_t seed) {
  return std::make_unique<MemorySource>(images, augment, seed);
}

}  // namespace slipstream

#include "engine/data/memory_source.h"

#include "engine/base/error.h"
#include "engine/data/augmentation.h"
#include "engine/data/normalization.h"

namespace slipstream {
namespace {

constexpr std::int64_t padding = 4;

/// The part of a padded picture that is taken: its corner in the picture's own pixels.
struct Window {
  std::int64_t top = 0;
  std::int64_t left = 0;
  bool flipped = false;
};

Window drawWindow(Random random) {
  Window window;
  window.top = static_cast<std::int64_t>(random.below(2 * padding + 1)) - padding;
  window.left = static_cast<std::int64_t>(random.below(2 * padding + 1)) - padding;
  window.flipped = random.below(2) == 1;
  return window;
}

class MemorySource final : public SampleSource {
 public:
  MemorySource(const Images& images, const DatasetSpec& spec, bool augment, std::uint64_t seed, SampleForm form)
      : images_(images),
        normalization_(normalizationOf(spec, images.shape.channels, form)),
        augment_(augment),
        seed_(seed),
        form_(form) {}

  SampleShape shape() const override { return images_.shape; }
  SampleForm form() const override { return form_; }
  std::int64_t count() const override { return images_.count(); }
  std::unique_ptr<SampleReader> reader() const override;

  std::int32_t read(std::uint32_t sample, const Occasion& occasion, std::span<float> input) const {
    if (static_cast<std::int64_t>(sample) >= images_.count()) throw Error("a sample that the data set does not have");
    const auto* pixels = images_.pixels.data() + sample * static_cast<std::size_t>(images_.shape.elements());
    if (augment_) {
      copy(pixels, drawWindow(randomOf(seed_, sample, occasion)), input);
    } else {
      copy(pixels, input);
    }
    return images_.labels[sample];
  }

 private:
  void copy(const std::uint8_t* pixels, std::span<float> input) const {
    const std::size_t channels = normalization_.channels();
    if (channels == 1) {
      const auto& table = normalization_.ofChannel(0);
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = table[pixels[i]];
      return;
    }
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = normalization_.ofChannel(i % channels)[pixels[i]];
  }

  void copy(const std::uint8_t* pixels, const Window& window, std::span<float> input) const {
    const auto [height, width, channels] = images_.shape;
    std::size_t written = 0;
    for (std::int64_t y = window.top; y < window.top + height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t column = window.left + (window.flipped ? width - 1 - x : x);
        const bool inside = y >= 0 && y < height && column >= 0 && column < width;
        const std::uint8_t* pixel = pixels + (inside ? (y * width + column) * channels : 0);
        for (std::int64_t channel = 0; channel < channels; ++channel) {
          const auto& table = normalization_.ofChannel(static_cast<std::size_t>(channel));
          input[written++] = table[inside ? pixel[channel] : 0];
        }
      }
    }
  }

  const Images& images_;
  Normalization normalization_;
  bool augment_;
  std::uint64_t seed_;
  SampleForm form_;
};

class MemoryReader final : public SampleReader {
 public:
  explicit MemoryReader(const MemorySource& source) : source_(source) {}
  Result<std::int32_t> read(std::uint32_t sample, const Occasion& occasion, std::span<float> input) override {
    return source_.read(sample, occasion, input);
  }

 private:
  const MemorySource& source_;
};

std::unique_ptr<SampleReader> MemorySource::reader() const {
  return std::make_unique<MemoryReader>(*this);
}

}  // namespace

std::unique_ptr<SampleSource> makeMemorySource(const Images& images, const DatasetSpec& spec, bool augment,
                                               std::uint64_t seed, SampleForm form) {
  return std::make_unique<MemorySource>(images, spec, augment, seed, form);
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/base/processor_clones.h"
#include "engine/base/random.h"
#include "engine/data/digit_strokes.h"

namespace slipstream {
namespace {

constexpr int side = 28;
using Canvas = std::array<float, std::size_t{side} * side>;  ///< ink, 0 to 1

/// How one writer holds the brush: from the unit square to pixels.
class Handwriting {
 public:
  explicit Handwriting(Random& random) {
    const double angle = random.uniform(-0.3, 0.3);
    const double slant = random.uniform(-0.4, 0.4);
    const double width = random.uniform(10.0, 21.0);
    const double height = random.uniform(14.0, 22.0);
    xx_ = width * std::cos(angle);
    xy_ = -height * std::sin(angle) - slant * height;
    yx_ = width * std::sin(angle);
    yy_ = height * std::cos(angle);
    left_ = side / 2.0 + random.uniform(-3.0, 3.0);
    top_ = side / 2.0 + random.uniform(-3.0, 3.0);
    bendX_ = random.uniform(-0.1, 0.1);
    bendY_ = random.uniform(-0.08, 0.08);
    phaseX_ = random.uniform(0.0, 2.0 * std::numbers::pi);
    phaseY_ = random.uniform(0.0, 2.0 * std::numbers::pi);
  }

  StrokePoint place(StrokePoint point) const {
    constexpr double waves = 1.3 * 2.0 * std::numbers::pi;
    const double x = point.x - 0.5 + bendX_ * std::sin(waves * point.y + phaseX_);
    const double y = point.y - 0.5 + bendY_ * std::sin(waves * point.x + phaseY_);
    return {left_ + xx_ * x + xy_ * y, top_ + yx_ * x + yy_ * y};
  }

 private:
  double xx_, xy_, yx_, yy_, left_, top_, bendX_, bendY_, phaseX_, phaseY_;
};

struct Brush {
  double radius;    ///< of the full ink, pixels
  double softness;  ///< width of the edge, pixels
};

/// A piece of a line, with what its distance to a point needs.
class Segment {
 public:
  Segment(StrokePoint a, StrokePoint b)
      : x_(static_cast<float>(a.x)),
        y_(static_cast<float>(a.y)),
        dx_(static_cast<float>(b.x - a.x)),
        dy_(static_cast<float>(b.y - a.y)) {
    const float length = dx_ * dx_ + dy_ * dy_;
    perLength_ = length > 0 ? 1.0F / length : 0.0F;
  }
  float squaredDistanceTo(float x, float y) const {
    const float along = std::clamp(((x - x_) * dx_ + (y - y_) * dy_) * perLength_, 0.0F, 1.0F);
    const float awayX = x - x_ - along * dx_;
    const float awayY = y - y_ - along * dy_;
    return awayX * awayX + awayY * awayY;
  }

 private:
  float x_, y_, dx_, dy_, perLength_;
};

SLIPSTREAM_PROCESSOR_CLONES void drawLine(Canvas& canvas, StrokePoint a, StrokePoint b, Brush brush) {
  const auto reach = static_cast<float>(brush.radius + brush.softness);
  const auto perSoftness = static_cast<float>(1.0 / brush.softness);
  const Segment segment(a, b);
  const auto first = [&](double low) { return std::max(static_cast<int>(low - brush.radius - brush.softness), 0); };
  const auto last = [&](double high) {
    return std::min(static_cast<int>(high + brush.radius + brush.softness) + 1, side - 1);
  };
  const int firstX = first(std::min(a.x, b.x));
  const int lastX = last(std::max(a.x, b.x));
  for (int y = first(std::min(a.y, b.y)); y <= last(std::max(a.y, b.y)); ++y) {
    float* const row = canvas.data() + static_cast<std::size_t>(y) * side;
    for (int x = firstX; x <= lastX; ++x) {
      const float squared = segment.squaredDistanceTo(static_cast<float>(x), static_cast<float>(y));
      // Without a branch the loop takes several pixels at a time.
      const float ink = std::min((reach - std::sqrt(squared)) * perSoftness, 1.0F);
      row[x] = std::max(row[x], squared < reach * reach ? ink : 0.0F);
    }
  }
}

/// An unsteady brush: each point is off by most of what the one before was, and a little more.
class Jitter {
 public:
  explicit Jitter(Random& random) : random_(random), size_(random.uniform(0.005, 0.03)) {}
  StrokePoint shaken(StrokePoint point) {
    constexpr double kept = 0.8;
    x_ = kept * x_ + random_.uniform(-size_, size_);
    y_ = kept * y_ + random_.uniform(-size_, size_);
    return {point.x + x_, point.y + y_};
  }

 private:
  Random& random_;
  double size_;
  double x_ = 0;
  double y_ = 0;
};

void drawGlyph(Canvas& canvas, const Glyph& glyph, Random& random) {
  constexpr double gapChance = 0.015;
  const Handwriting hand(random);
  const Brush brush{random.uniform(0.2, 1.4), random.uniform(0.8, 1.5)};
  Jitter tremor(random);
  for (const auto& stroke : glyph) {
    StrokePoint before{};
    for (std::size_t i = 0; i < stroke.size(); ++i) {
      const auto at = hand.place(tremor.shaken(stroke[i]));
      if (i > 0 && random.uniform() >= gapChance) drawLine(canvas, before, at, brush);
      before = at;
    }
  }
}

/// A stray line that belongs to no digit.
void drawStray(Canvas& canvas, Random& random) {
  const StrokePoint start{random.uniform(0, side), random.uniform(0, side)};
  const StrokePoint end{start.x + random.uniform(-7.0, 7.0), start.y + random.uniform(-7.0, 7.0)};
  drawLine(canvas, start, end, {random.uniform(0.2, 0.7), 0.8});
}

/// Grey values with noise: the sum of four random bytes is near enough to a normal distribution.
SLIPSTREAM_PROCESSOR_CLONES void develop(const Canvas& canvas, Random& random, std::uint8_t* pixels) {
  const auto ink = static_cast<float>(random.uniform(120.0, 255.0));
  const auto grain = static_cast<float>(random.uniform(2.0, 24.0) / 147.8);  // the deviation of the sum of four bytes
  Canvas noise{};
  for (std::size_t i = 0; i < noise.size(); i += 2) {
    const std::uint64_t bits = random.bits();
    const std::uint64_t pairs = (bits & 0x00FF00FF00FF00FF) + (bits >> 8 & 0x00FF00FF00FF00FF);
    noise[i] = static_cast<float>(static_cast<std::int32_t>((pairs & 0xFFFF) + (pairs >> 16 & 0xFFFF)) - 510);
    noise[i + 1] = static_cast<float>(static_cast<std::int32_t>((pairs >> 32 & 0xFFFF) + (pairs >> 48)) - 510);
  }
  for (std::size_t i = 0; i < canvas.size(); ++i) {
    const float value = std::clamp(ink * canvas[i] + grain * noise[i], 0.0F, 255.0F);
    pixels[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(value));
  }
}

/// Draws one image and returns its label.
std::uint8_t drawOne(std::uint64_t seed, std::uint64_t number, std::uint8_t* pixels) {
  Random random(seed, RandomStream::digits, number);
  const auto label = static_cast<int>(random.below(10));
  const auto& ways = waysToWrite(label);
  Canvas canvas{};
  drawGlyph(canvas, ways[random.below(ways.size())], random);
  if (random.uniform() < 0.4) drawStray(canvas, random);
  develop(canvas, random, pixels);
  return static_cast<std::uint8_t>(label);
}

}  // namespace

Result<Images> roomForDigits(const DatasetSpec& spec, DataPart part) {
  const bool training = part == DataPart::training;
  const std::int64_t count = training ? spec.trainSamples : spec.evaluationSamples;
  if (count < 1) {
    return fail(training ? "dataset.train_samples" : "dataset.evaluation_samples", std::to_string(count),
                "asks for no images", "give a number of at least 1");
  }
  Images images{{side, side, 1}, 10, {}, {}};
  images.pixels.resize(static_cast<std::size_t>(count) * side * side);
  images.labels.resize(static_cast<std::size_t>(count));
  return images;
}

void drawDigits(Images& images, std::size_t first, std::size_t end, DataPart part, std::uint64_t seed) {
  // Evaluation images have numbers of their own, so none is ever trained on.
  const std::uint64_t firstNumber = part == DataPart::training ? 0 : std::uint64_t{1} << 40;
  for (std::size_t i = first; i < end; ++i) {
    images.labels[i] = drawOne(seed, firstNumber + i, images.pixels.data() + i * side * side);
  }
}

}  // namespace slipstream

#include "engine/data/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/base/random.h"
#include "engine/data/digit_strokes.h"

namespace slipstream {
namespace {

constexpr int side = 28;
using Canvas = std::array<float, side * side>;  ///< ink, 0 to 1

/// How one writer holds the pen: from the unit square to pixels.
class Hand {
 public:
  explicit Hand(Random& random) {
    const double angle = random.uniform(-0.22, 0.22);
    const double slant = random.uniform(-0.3, 0.3);
    const double width = random.uniform(14.0, 21.0);
    const double height = random.uniform(17.0, 22.0);
    xx_ = width * std::cos(angle);
    xy_ = -height * std::sin(angle) - slant * height;
    yx_ = width * std::sin(angle);
    yy_ = height * std::cos(angle);
    left_ = side / 2.0 + random.uniform(-2.0, 2.0);
    top_ = side / 2.0 + random.uniform(-2.0, 2.0);
    bendX_ = random.uniform(-0.06, 0.06);
    bendY_ = random.uniform(-0.05, 0.05);
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

struct Pen {
  double radius;    ///< of the full ink, pixels
  double softness;  ///< width of the edge, pixels
};

/// Distance of a point to the piece of a line from a to b.
double distanceTo(StrokePoint a, StrokePoint b, double x, double y) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double along = length > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
  const double awayX = x - a.x - along * dx;
  const double awayY = y - a.y - along * dy;
  return std::sqrt(awayX * awayX + awayY * awayY);
}

void drawLine(Canvas& canvas, StrokePoint a, StrokePoint b, Pen pen) {
  const double reach = pen.radius + pen.softness;
  const auto first = [&](double low) { return std::max(static_cast<int>(std::floor(low - reach)), 0); };
  const auto last = [&](double high) { return std::min(static_cast<int>(std::ceil(high + reach)), side - 1); };
  for (int y = first(std::min(a.y, b.y)); y <= last(std::max(a.y, b.y)); ++y) {
    for (int x = first(std::min(a.x, b.x)); x <= last(std::max(a.x, b.x)); ++x) {
      const double ink = (reach - distanceTo(a, b, x, y)) / pen.softness;
      auto& pixel = canvas[static_cast<std::size_t>(y * side + x)];
      pixel = std::max(pixel, static_cast<float>(std::clamp(ink, 0.0, 1.0)));
    }
  }
}

void drawGlyph(Canvas& canvas, const Glyph& glyph, Random& random) {
  constexpr double tremor = 0.012;
  const Hand hand(random);
  const Pen pen{random.uniform(0.35, 1.3), random.uniform(0.8, 1.5)};
  for (const auto& stroke : glyph) {
    StrokePoint before{};
    for (std::size_t i = 0; i < stroke.size(); ++i) {
      const auto at =
          hand.place({stroke[i].x + random.uniform(-tremor, tremor), stroke[i].y + random.uniform(-tremor, tremor)});
      if (i > 0) drawLine(canvas, before, at, pen);
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
void develop(const Canvas& canvas, Random& random, std::uint8_t* pixels) {
  const double ink = random.uniform(170.0, 255.0);
  const double grain = random.uniform(2.0, 16.0) / 147.8;  // 147.8: deviation of the sum of four bytes
  for (std::size_t i = 0; i < canvas.size(); i += 2) {
    std::uint64_t bits = random.bits();
    for (std::size_t j = i; j < i + 2; ++j) {
      int sum = 0;
      for (int byte = 0; byte < 4; ++byte, bits >>= 8) sum += static_cast<int>(bits & 0xFF);
      const double value = ink * static_cast<double>(canvas[j]) + grain * (sum - 510);
      pixels[j] = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  }
}

/// Draws one picture and returns its label.
std::uint8_t drawOne(std::uint64_t seed, std::uint64_t number, std::uint8_t* pixels) {
  Random random(seed, RandomStream::digits, number);
  const auto label = static_cast<int>(random.below(10));
  const auto& ways = waysToWrite(label);
  Canvas canvas{};
  drawGlyph(canvas, ways[random.below(ways.size())], random);
  if (random.uniform() < 0.25) drawStray(canvas, random);
  develop(canvas, random, pixels);
  return static_cast<std::uint8_t>(label);
}

}  // namespace

Images drawDigits(std::int64_t count, Part part, std::uint64_t seed) {
  // Evaluation pictures have numbers of their own, so none is ever trained on.
  const std::uint64_t firstNumber = part == Part::training ? 0 : std::uint64_t{1} << 40;
  Images images{{side, side, 1}, 10, {}, {}};
  images.pixels.resize(static_cast<std::size_t>(count) * side * side);
  images.labels.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < images.labels.size(); ++i) {
    images.labels[i] = drawOne(seed, firstNumber + i, images.pixels.data() + i * side * side);
  }
  return images;
}

}  // namespace slipstream

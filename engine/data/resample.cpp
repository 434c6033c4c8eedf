#include "engine/data/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

using Floats4 [[gnu::vector_size(16)]] = float;

/// Three channels and one value too many.
inline Floats4 pixelAt(const float* values) {
  Floats4 four;
  std::memcpy(&four, values, sizeof(four));
  return four;
}

SLIPSTREAM_PROCESSOR_CLONES
void widen(const std::uint8_t* bytes, std::int64_t count, float* values) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = bytes[i];
}

/// One row of pixels blended along it: `row` and `output` have room for one value behind the last pixel.
SLIPSTREAM_PROCESSOR_CLONES
void blendColumns(const float* row, const std::int32_t* first, const std::int32_t* second, const float* share,
                  std::int64_t size, float* output) {
  for (std::int64_t x = 0; x < size; ++x) {
    const Floats4 a = pixelAt(row + first[x]);
    const Floats4 b = pixelAt(row + second[x]);
    const Floats4 blended = a + (b - a) * share[x];
    std::memcpy(output + 3 * x, &blended, sizeof(blended));
  }
}

/// Two blended rows become one of the output.
SLIPSTREAM_PROCESSOR_CLONES
void blendRows(const float* upper, const float* lower, float share, const float* factors, const float* offsets,
               std::int64_t values, float* output) {
  for (std::int64_t i = 0; i < values; ++i) {
    output[i] = (upper[i] + (lower[i] - upper[i]) * share) * factors[i] + offsets[i];
  }
}

/// The whole pixels that an interval of the view reads, of `size` that there are.
std::pair<std::int64_t, std::int64_t> pixelsOf(double begin, double length, bool looksBeyond, std::int64_t size) {
  const double margin = looksBeyond ? 1 : 0;
  const auto first = static_cast<std::int64_t>(std::floor(begin - margin));
  const auto end = static_cast<std::int64_t>(std::ceil(begin + length + margin));
  const std::int64_t kept = std::clamp<std::int64_t>(first, 0, size - 1);
  return {kept, std::clamp<std::int64_t>(end, kept + 1, size)};
}

}  // namespace

Resampling planResampling(PictureSize picture, const PictureView& view, std::int64_t size) {
  int eighths = 1;
  const auto covers = [&](double length) { return length * eighths / 8 >= static_cast<double>(size); };
  while (eighths < 8 && !(covers(view.height) && covers(view.width))) eighths *= 2;
  Resampling plan{size, eighths, view, {}};
  const double scale = eighths / 8.0;
  for (double* value : {&plan.view.top, &plan.view.left, &plan.view.height, &plan.view.width}) *value *= scale;
  const auto scaled = [&](std::int64_t side) { return (side * eighths + 7) / 8; };
  std::tie(plan.box.top, plan.box.bottom) =
      pixelsOf(plan.view.top, plan.view.height, view.looksBeyond, scaled(picture.height));
  std::tie(plan.box.left, plan.box.right) =
      pixelsOf(plan.view.left, plan.view.width, view.looksBeyond, scaled(picture.width));
  return plan;
}

Resampler::Resampler(const Normalization& normalization) : normalization_(normalization) {}

void Resampler::place(Axis& axis, const Resampling& plan, bool vertical) {
  const double begin = vertical ? plan.view.top : plan.view.left;
  const double length = vertical ? plan.view.height : plan.view.width;
  const auto first = static_cast<double>(vertical ? plan.box.top : plan.box.left);
  const auto last = static_cast<double>((vertical ? plan.box.bottom : plan.box.right) - 1);
  const auto count = static_cast<std::size_t>(plan.size);
  axis.first.resize(count);
  axis.second.resize(count);
  axis.share.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool mirrored = !vertical && plan.view.flipped;
    const auto position = static_cast<double>(mirrored ? count - 1 - i : i);
    const double centre = begin + (position + 0.5) * length / static_cast<double>(plan.size) - 0.5;
    const double inside = std::clamp(centre, first, last);
    const double lower = std::floor(inside);
    axis.first[i] = static_cast<std::int32_t>(lower);
    axis.second[i] = static_cast<std::int32_t>(std::min(lower + 1, last));
    axis.share[i] = static_cast<float>(inside - lower);
  }
}

/// A row of the picture as wide as the square; the two that were asked for last are kept.
const float* Resampler::blendedRow(const PicturePart& part, std::int64_t y, int slot) {
  for (const int kept : {0, 1}) {
    if (held_[kept] == y) return blended_[kept].data();
  }
  widened_.resize(static_cast<std::size_t>(part.stride + 1));
  widen(part.row(y), part.stride, widened_.data());
  blendColumns(widened_.data(), columns_.first.data(), columns_.second.data(), columns_.share.data(),
               std::ssize(columns_.share), blended_[slot].data());
  held_[slot] = y;
  return blended_[slot].data();
}

void Resampler::run(const Resampling& plan, const PicturePart& part, std::span<float> output) {
  place(columns_, plan, false);
  place(rows_, plan, true);
  for (std::vector<std::int32_t>* side : {&columns_.first, &columns_.second}) {
    for (std::int32_t& pixel : *side) pixel = 3 * (pixel - static_cast<std::int32_t>(part.box.left));
  }
  const auto values = static_cast<std::size_t>(3 * plan.size);
  if (factors_.size() != values) {
    factors_.resize(values);
    offsets_.resize(values);
    for (std::size_t i = 0; i < values; ++i) {
      factors_[i] = normalization_.factor(i % 3);
      offsets_[i] = normalization_.offset(i % 3);
    }
    for (auto& row : blended_) row.resize(values + 1);
  }
  held_[0] = held_[1] = -1;
  for (std::size_t y = 0; y < rows_.share.size(); ++y) {
    // The slot that does not hold the other of the two rows.
    const int slot = held_[0] == rows_.second[y] ? 1 : 0;
    const float* upper = blendedRow(part, rows_.first[y], slot);
    const float* lower = blendedRow(part, rows_.second[y], upper == blended_[0].data() ? 1 : 0);
    blendRows(upper, lower, rows_.share[y], factors_.data(), offsets_.data(), static_cast<std::int64_t>(values),
              output.data() + y * values);
  }
}

}  // namespace slipstream

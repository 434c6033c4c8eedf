// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/resample.h"

#include <algorithm>
#include <cmath>

namespace slipstream {
namespace {

/// Of `count` pixels that share an interval evenly, the centres among the pixels from `first` to `last`.
PixelPairs pairsOf(double begin, double length, std::int64_t first, std::int64_t last, std::int64_t count,
                   bool mirrored) {
  PixelPairs pairs;
  const auto size = static_cast<std::size_t>(count);
  pairs.first.resize(size);
  pairs.second.resize(size);
  pairs.share.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto position = static_cast<double>(mirrored ? size - 1 - i : i);
    const double centre = begin + (position + 0.5) * length / static_cast<double>(count) - 0.5;
    const double inside = std::clamp(centre, static_cast<double>(first), static_cast<double>(last));
    const auto lower = static_cast<std::int32_t>(inside);
    pairs.first[i] = lower;
    pairs.second[i] = std::min(lower + 1, static_cast<std::int32_t>(last));
    pairs.share[i] = static_cast<float>(inside - lower);
  }
  return pairs;
}

PixelPairs rowsOf(const Resampling& plan) {
  return pairsOf(plan.view.top, plan.view.height, plan.box.top, plan.box.bottom - 1, plan.size, false);
}

/// Counted from the left edge of what was decoded.
PixelPairs columnsOf(const Resampling& plan, const ImagePart& part) {
  PixelPairs pairs =
      pairsOf(plan.view.left, plan.view.width, plan.box.left, plan.box.right - 1, plan.size, plan.view.flipped);
  for (std::vector<std::int32_t>* side : {&pairs.first, &pairs.second}) {
    for (std::int32_t& pixel : *side) pixel -= static_cast<std::int32_t>(part.box.left);
  }
  return pairs;
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

Resampling planResampling(ImageSize picture, const ImageView& view, std::int64_t size) {
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

/// A row of the image as wide as the square. It is made with its neighbour, and the last two pairs are kept: a row
/// of the square lies between two rows that follow each other.
const std::int16_t* Resampler::blendedRow(const ImagePart& part, std::int64_t y) {
  const std::int64_t pair = (y - part.box.top) / 2;
  const auto upper = static_cast<std::size_t>(2 * (pair % 2));
  if (std::int64_t& held = held_[pair % 2]; held != pair) {
    const std::int64_t above = part.box.top + 2 * pair;
    const std::int64_t below = std::min(above + 1, part.box.bottom - 1);
    columns_.run({part.row(above), part.row(below)}, static_cast<std::size_t>(part.stride / 3),
                 {blended_[upper].data(), blended_[upper + 1].data()});
    held = pair;
  }
  return blended_[upper + static_cast<std::size_t>((y - part.box.top) % 2)].data();
}

void Resampler::prepare(const Resampling& plan, const ImagePart& part) {
  if (plan == plan_ && part.box.left == left_) return;
  plan_ = plan;
  left_ = part.box.left;
  rows_ = rowsOf(plan);
  columns_.prepare(columnsOf(plan, part));
  for (auto& row : blended_) row.resize(static_cast<std::size_t>(3 * plan.size) + ColumnBlend::padding);
}

void Resampler::run(const Resampling& plan, const ImagePart& part, std::span<std::uint8_t> output) {
  prepare(plan, part);
  held_[0] = held_[1] = -1;
  const auto width = static_cast<std::size_t>(3 * plan.size);
  for (std::size_t y = 0; y < rows_.share.size(); ++y) {
    const std::int16_t* upper = blendedRow(part, rows_.first[y]);
    const std::int16_t* lower = blendedRow(part, rows_.second[y]);
    blendRows(upper, lower, rows_.share[y], width, output.data() + y * width);
  }
}

}  // namespace slipstream

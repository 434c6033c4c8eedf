// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/curve_overview.h"

#include <algorithm>
#include <bit>

namespace slipstream {
namespace {

constexpr std::size_t pieces = 4096;

std::size_t bytesOf(const Line& line) {
  return sizeof(double) * (line.x.size() + line.y.size());
}

}  // namespace

std::size_t nearestIndex(const std::vector<double>& x, double place) {
  const auto after = std::lower_bound(x.begin(), x.end(), place);
  auto index = static_cast<std::size_t>(after - x.begin());
  if (index == x.size()) return x.size() - 1;
  if (index > 0 && place - x[index - 1] < x[index] - place) --index;
  return index;
}

std::size_t CurveSamples::bytes() const {
  return bytesOf(raw) + bytesOf(smoothed) + bytesOf(lowest) + bytesOf(highest) +
         sizeof(double) * (gaps.size() + begins.size() + steps.size());
}

std::size_t CurveOverview::bytes() const {
  return thinned.bytes() + sizeof(Sample) * begins.size();
}

std::size_t CurveOverview::piecesWithin(double first, double last) const {
  const auto from = std::ranges::lower_bound(begins, first, {}, &Sample::x);
  const auto to = std::ranges::upper_bound(begins, last, {}, &Sample::x);
  return to > from ? static_cast<std::size_t>(to - from) : 0;
}

StepRange CurveOverview::stepsOf(double first, double last) const {
  auto from = std::ranges::lower_bound(begins, first, {}, &Sample::x);
  auto to = std::ranges::upper_bound(begins, last, {}, &Sample::x);
  if (from != begins.begin()) --from;
  if (to == begins.end()) --to;
  return {from->step, std::max(from->step, to->step)};
}

std::size_t CurveOverview::nearest(double x) const {
  const auto after = std::ranges::lower_bound(begins, x, {}, &Sample::x);
  if (after == begins.end()) return begins.size() - 1;
  const auto index = static_cast<std::size_t>(after - begins.begin());
  return index > 0 && x - begins[index - 1].x < after->x - x ? index - 1 : index;
}

CurveOverview overviewOf(const CurveSamples& curve, const std::vector<std::int64_t>& steps) {
  CurveOverview overview;
  overview.samples = curve.raw.x.size();
  overview.piece = std::max<std::size_t>(8, std::bit_ceil(overview.samples / pieces));
  const auto thin = [&](const Line& line) { return thinnedByPieces(line, overview.piece); };
  overview.thinned = {
      thin(curve.raw), thin(curve.smoothed), thin(curve.lowest), thin(curve.highest), {}, curve.begins, {}};
  double next = -1;
  const double distance = (curve.raw.x.back() - curve.raw.x.front()) / pieces;
  for (const double gap : curve.gaps) {
    if (!overview.thinned.gaps.empty() && gap < next) continue;
    overview.thinned.gaps.push_back(gap);
    next = gap + distance;
  }
  const auto add = [&](std::size_t i) {
    const double smoothed = curve.smoothed.y.empty() ? curve.raw.y[i] : curve.smoothed.y[i];
    overview.begins.push_back({steps[i], curve.raw.x[i], smoothed, curve.raw.y[i]});
  };
  for (std::size_t i = 0; i < overview.samples; i += overview.piece) add(i);
  if ((overview.samples - 1) % overview.piece != 0) add(overview.samples - 1);
  return overview;
}

StepRange roundedOut(const StepRange& steps) {
  constexpr std::int64_t least = 4096;
  const auto width = std::max<std::uint64_t>(least, static_cast<std::uint64_t>(steps.last - steps.first));
  const auto unit = static_cast<std::int64_t>(std::bit_ceil(width)) / 2;
  const std::int64_t first = steps.first / unit * unit;
  return {first, (steps.last / unit + 1) * unit};
}

}  // namespace slipstream

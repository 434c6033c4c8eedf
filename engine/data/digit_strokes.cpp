// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/digit_strokes.h"

#include <array>
#include <cmath>
#include <numbers>

namespace slipstream {
namespace {

/// Part of an ellipse from one angle to another, in degrees; 0 points right and 90 down.
Stroke arc(double x, double y, double width, double height, double from, double to) {
  constexpr int pieces = 10;
  Stroke points;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180.0;
    points.push_back({x + width * std::cos(angle), y + height * std::sin(angle)});
  }
  return points;
}

Stroke joined(Stroke first, const Stroke& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::array<std::vector<Glyph>, 10> allWays() {
  return {{
      {{arc(0.5, 0.5, 0.27, 0.41, -90, 270)}, {arc(0.5, 0.5, 0.21, 0.41, -70, 285)}},
      {{{{0.5, 0.08}, {0.5, 0.92}}},
       {{{0.34, 0.27}, {0.52, 0.08}, {0.52, 0.92}}},
       {{{0.34, 0.27}, {0.52, 0.08}, {0.52, 0.92}}, {{0.32, 0.92}, {0.72, 0.92}}}},
      {{joined(arc(0.48, 0.32, 0.26, 0.24, 190, 385), {{0.23, 0.9}, {0.79, 0.9}})},
       {joined(arc(0.48, 0.32, 0.24, 0.23, 200, 400), joined(arc(0.32, 0.83, 0.09, 0.08, 260, -20), {{0.8, 0.9}}))}},
      {{joined(arc(0.46, 0.3, 0.24, 0.21, 200, 445), arc(0.46, 0.71, 0.27, 0.21, 275, 520))},
       {joined({{0.25, 0.1}, {0.74, 0.1}, {0.46, 0.44}}, arc(0.46, 0.68, 0.26, 0.24, 270, 515))}},
      {{{{0.62, 0.08}, {0.19, 0.63}, {0.83, 0.63}}, {{0.62, 0.08}, {0.62, 0.93}}},
       {{{0.3, 0.1}, {0.24, 0.55}, {0.78, 0.55}}, {{0.7, 0.1}, {0.64, 0.93}}}},
      {{joined({{0.74, 0.1}, {0.33, 0.1}, {0.29, 0.47}}, arc(0.47, 0.66, 0.28, 0.25, 232, 510))},
       {joined({{0.34, 0.12}, {0.3, 0.46}}, arc(0.47, 0.66, 0.27, 0.25, 235, 505)), {{0.34, 0.12}, {0.76, 0.1}}}},
      {{joined(arc(0.72, 0.66, 0.46, 0.56, 265, 180), arc(0.5, 0.68, 0.24, 0.23, 180, 540))},
       {joined({{0.6, 0.08}, {0.36, 0.4}}, arc(0.49, 0.69, 0.22, 0.22, 200, 550))}},
      {{{{0.22, 0.12}, {0.78, 0.12}, {0.42, 0.92}}},
       {{{0.22, 0.12}, {0.78, 0.12}, {0.42, 0.92}}, {{0.36, 0.52}, {0.7, 0.52}}},
       {{{0.24, 0.22}, {0.26, 0.12}, {0.76, 0.12}, {0.52, 0.55}, {0.46, 0.92}}}},
      {{arc(0.5, 0.29, 0.2, 0.19, 90, 450), arc(0.5, 0.7, 0.25, 0.22, -90, 270)},
       {{{0.66, 0.2},
         {0.5, 0.1},
         {0.33, 0.22},
         {0.38, 0.42},
         {0.6, 0.56},
         {0.7, 0.74},
         {0.5, 0.9},
         {0.3, 0.74},
         {0.4, 0.55},
         {0.62, 0.4},
         {0.66, 0.2}}}},
      {{joined(arc(0.5, 0.32, 0.23, 0.22, 0, -360), {{0.66, 0.92}})},
       {joined(arc(0.5, 0.32, 0.23, 0.22, -10, -370), arc(0.4, 0.4, 0.33, 0.5, 0, 100))}},
  }};
}

}  // namespace

const std::vector<Glyph>& waysToWrite(int digit) {
  static const auto ways = allWays();
  return ways.at(static_cast<std::size_t>(digit));
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/confusion_matrix.h"

namespace slipstream {
namespace {

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::optional<double> ConfusionMatrix::precision(std::size_t ofClass) const {
  std::int64_t predicted = 0;
  for (std::size_t label = 0; label < classes_; ++label) predicted += count(label, ofClass);
  return share(count(ofClass, ofClass), predicted);
}

std::optional<double> ConfusionMatrix::recall(std::size_t ofClass) const {
  std::int64_t labelled = 0;
  for (std::size_t predicted = 0; predicted < classes_; ++predicted) labelled += count(ofClass, predicted);
  return share(count(ofClass, ofClass), labelled);
}

}  // namespace slipstream

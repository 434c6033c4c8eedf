// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace slipstream {

/// How often samples of each class were taken for each class.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::size_t classes) : classes_(classes), counts_(classes * classes) {}

  /// Both below classes().
  void add(std::size_t label, std::size_t predicted) { ++counts_[label * classes_ + predicted]; }

  std::size_t classes() const { return classes_; }
  std::int64_t count(std::size_t label, std::size_t predicted) const { return counts_[label * classes_ + predicted]; }
  /// Share of the samples that were taken for the class which are of it; nothing where none was.
  std::optional<double> precision(std::size_t ofClass) const;
  /// Share of the samples of the class that were taken for it; nothing where there is none.
  std::optional<double> recall(std::size_t ofClass) const;

 private:
  std::size_t classes_;
  std::vector<std::int64_t> counts_;  ///< a row a label
};

}  // namespace slipstream

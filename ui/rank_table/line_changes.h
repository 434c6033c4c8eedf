// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

namespace slipstream::ui {

/// What makes one list of lines another when the lines at both ends that are the same stay: of the middle as many as
/// possible are changed in place, the others go or come behind them.
struct LineChanges {
  int kept = 0;  ///< in front, the same or changed in place
  int removed = 0;
  int inserted = 0;

  int firstRemoved() const { return kept; }
  int lastRemoved() const { return kept + removed - 1; }
  int firstInserted() const { return kept; }
  int lastInserted() const { return kept + inserted - 1; }
};

/// `same(old, now)` compares by index.
template <class Same>
LineChanges lineChanges(std::size_t before, std::size_t now, Same same) {
  const std::size_t shorter = std::min(before, now);
  std::size_t front = 0;
  while (front < shorter && same(front, front)) ++front;
  std::size_t back = 0;
  while (back < shorter - front && same(before - 1 - back, now - 1 - back)) ++back;
  const std::size_t middle = shorter - back;  // what has a partner, counted from the start
  return {static_cast<int>(middle), static_cast<int>(before - shorter), static_cast<int>(now - shorter)};
}

}  // namespace slipstream::ui

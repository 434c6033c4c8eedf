// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream {

/// What people say of a run, at any time.
struct RunLabel {
  std::string title;  ///< instead of its name; empty: as it was named
  std::string note;
  std::vector<std::string> tags;  ///< without line breaks, each once
  bool pinned = false;            ///< the baseline that others are held against
  bool archived = false;
  bool operator==(const RunLabel&) const = default;
};

}  // namespace slipstream

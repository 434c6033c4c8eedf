// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/failure.h"

namespace slipstream {

struct Serving {
  std::filesystem::path store;
  int input = 0;
  int output = 1;
  /// Called every few seconds: what a reader of the store does not do by itself.
  std::function<void()> housekeeping = [] {};
};

/// Tells whoever is at the other end of the two streams what his copies of the store's own runs lack, and goes on as
/// they go on, until he leaves or is silent for half a minute. Only reads the store.
Status serveReplica(const Serving& serving);

}  // namespace slipstream

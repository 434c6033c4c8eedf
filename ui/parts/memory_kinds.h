// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/theme/tokens.h"

namespace slipstream::ui {

/// One category of memory, as plans forecast it and stores measure it.
struct MemoryKind {
  const char* key;  ///< in plan and store
  QString name;
  Part part;  ///< its colour
};

/// All there are, in stacking order.
std::vector<MemoryKind> memoryKinds();

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace slipstream::ui {

/// What all sizes of one table are counted in, so that their digits line up.
struct SizeUnit {
  QString name;
  double bytes = 1;

  /// With two decimals and without the unit; "< 0.01" for what is less and not nothing, which is "0".
  QString of(std::int64_t size) const;
};

/// kB, MB or, from 10 GB on, GB: decimal units for a table whose largest size is `bytes`.
SizeUnit unitFor(double bytes);

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream::ui {

/// From the first call on, charts are told of as charts, and their values as what they are worth.
void makeChartsAccessible();

}  // namespace slipstream::ui

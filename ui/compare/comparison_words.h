// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "engine/record/comparison.h"

namespace slipstream::ui {

/// Comparison::remarks in the language of the window, and how the intervals were made: what a reader must know about
/// runs that are not compared, or not to their end, or that are one run again.
QStringList remarksOf(const Comparison& comparison);

}  // namespace slipstream::ui

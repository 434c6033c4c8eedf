#pragma once

#include <QStringList>

#include "engine/record/comparison.h"

namespace slipstream::ui {

/// Comparison::remarks in the language of the window: what a reader must know about runs that are not compared, or not
/// to their end.
QStringList remarksOf(const Comparison& comparison);

}  // namespace slipstream::ui

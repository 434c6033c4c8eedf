// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/record/run_store.h"

class QPainter;
class QRectF;

namespace slipstream::ui {

/// The shape of a run's state in its colour: states differ in shape first. `place` is square, 14 px in lists.
void paintState(QPainter& painter, const QRectF& place, RunState state);
/// The small ring of an engine that has nothing to do.
void paintIdle(QPainter& painter, const QRectF& place);

/// The state's word in the language of the window.
QString stateWord(RunState state);
QColor stateColour(RunState state);

}  // namespace slipstream::ui

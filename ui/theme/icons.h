// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

#include "engine/store/run_store.h"

class QPainter;
class QRectF;

namespace slipstream::ui {

/// The family of resources/icons, one SVG each. They take their colour from the theme in force when they are painted.
enum class Symbol {
  add,
  archive,
  bulb,
  close,
  cloud,
  compare,
  copy,
  device,
  down,
  drag,
  enlarge,
  error,
  evaluate,
  exportFile,
  eye,
  eyeOff,
  filter,
  folder,
  generate,
  good,
  help,
  importFile,
  information,
  launch,
  layout,
  lock,
  merge,
  more,
  pin,
  redo,
  report,
  reset,
  resume,
  right,
  save,
  search,
  server,
  settings,
  stop,
  table,
  tag,
  trash,
  undo,
  up,
  vary,
  warning
};

QIcon icon(Symbol symbol);

/// For text or for buttons on the accent colour.
enum class IconInk { text, second, faint, onAccent, accent, good, warning, error };
QIcon icon(Symbol symbol, IconInk ink);

/// The shape of a run's state in its colour: states differ in shape first. `place` is square, 14 px in lists.
void paintState(QPainter& painter, const QRectF& place, RunState state);
/// The small ring of an engine that has nothing to do.
void paintIdle(QPainter& painter, const QRectF& place);

/// The state's word in the language of the window.
QString stateText(RunState state);
QColor stateColour(RunState state);

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace slipstream::ui {

/// The family of resources/icons, one SVG each. They take their colour from the theme in force when they are painted.
enum class Symbol {
  add,
  archive,
  branch,
  bulb,
  close,
  compare,
  copy,
  device,
  down,
  drag,
  edit,
  error,
  evaluate,
  exportFile,
  eye,
  filter,
  folder,
  generate,
  good,
  importFile,
  information,
  launch,
  left,
  merge,
  more,
  pin,
  queue,
  redo,
  renumber,
  report,
  reset,
  resume,
  right,
  save,
  search,
  server,
  stop,
  table,
  tag,
  trash,
  undo,
  up,
  vary,
  warning,
};

QIcon icon(Symbol symbol);

/// For text or for buttons on the accent colour.
enum class IconInk { text, second, onAccent, accent, good, warning, error };
QIcon icon(Symbol symbol, IconInk ink);

}  // namespace slipstream::ui

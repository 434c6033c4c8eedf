// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/layout_memory.h"

#include <QDockWidget>
#include <QMainWindow>
#include <algorithm>

#include "ui/panel/bottom_panel.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int layoutVersion = 1;
constexpr int dockWidth = 288, narrowDockWidth = 256;
const QString windowLayout = QStringLiteral("window"), sidesLayout = QStringLiteral("sides");

}  // namespace

LayoutMemory::LayoutMemory(Parts parts)
    : parts_(parts),
      asBuilt_(parts.window.saveState(layoutVersion)),
      sidesAsBuilt_(parts.sides.saveState(layoutVersion)) {
  rememberSplitters();
}

void LayoutMemory::rememberSplitters() {
  for (QSplitter* splitter : parts_.window.findChildren<QSplitter*>()) {
    const bool isOfPanel = splitter == parts_.panel.parentWidget();  // whose height is its own affair
    const bool isKnown = std::ranges::any_of(divided_, [&](const Divided& one) { return one.splitter == splitter; });
    if (!isOfPanel && !isKnown) divided_.push_back({splitter, splitter->saveState()});
  }
}

void LayoutMemory::fitRuns() {
  const int width = widthForFont(isNarrow(parts_.window) ? narrowDockWidth : dockWidth);
  parts_.window.resizeDocks({&parts_.runs}, {width}, Qt::Horizontal);
}

void LayoutMemory::restore() {
  fitRuns();
  parts_.window.restoreState(Settings::layout(windowLayout), layoutVersion);
  parts_.sides.restoreState(Settings::layout(sidesLayout), layoutVersion);
  parts_.panel.restoreLayout();
}

void LayoutMemory::save() const {
  Settings::setLayout(windowLayout, parts_.window.saveState(layoutVersion));
  Settings::setLayout(sidesLayout, parts_.sides.saveState(layoutVersion));
  parts_.panel.saveLayout();
}

void LayoutMemory::reset() {
  Settings::forgetLayouts();
  parts_.window.restoreState(asBuilt_, layoutVersion);
  parts_.sides.restoreState(sidesAsBuilt_, layoutVersion);
  parts_.panel.restoreLayout();
  for (const Divided& one : divided_) {
    if (one.splitter) one.splitter->restoreState(one.asBuilt);
  }
  fitRuns();
}

}  // namespace slipstream::ui

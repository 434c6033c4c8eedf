// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPointer>
#include <QSplitter>
#include <QWidget>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace slipstream::ui {

/// Whether a window is so narrow that docks, tabs and the command box take less room.
inline bool isNarrow(const QWidget& window) {
  constexpr int narrowWindow = 1200;
  return window.width() < narrowWindow;
}

class BottomPanel;

/// The positions of docks, splitters and the bottom panel: kept between starts, with the ones they are built with.
class LayoutMemory {
 public:
  struct Parts {
    QMainWindow& window;
    QMainWindow& sides;  ///< of the pages
    QDockWidget& runs;
    BottomPanel& panel;
  };
  /// Once everything is in its place, before anything was moved.
  explicit LayoutMemory(Parts parts);

  /// Puts everything where the last window left it.
  void restore();
  void save() const;
  /// Takes up splitters that were made since.
  void rememberSplitters();
  /// Puts everything where it was built; what was kept is removed.
  void reset();
  /// The window has another width: the dock of runs takes what suits it.
  void fitRuns();

 private:
  struct Divided {
    QPointer<QSplitter> splitter;
    QByteArray asBuilt;
  };

  Parts parts_;
  QByteArray asBuilt_, sidesAsBuilt_;
  std::vector<Divided> divided_;  ///< of the pages
};

}  // namespace slipstream::ui

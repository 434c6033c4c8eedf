// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPointer>
#include <QSplitter>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace slipstream::ui {

class BottomPanel;

/// Where docks, splitters and the bottom panel stand: kept between starts, and how they are built.
class LayoutMemory {
 public:
  struct Parts {
    QMainWindow& window;
    QDockWidget& runs;
    BottomPanel& panel;
  };
  /// Once everything is in its place, before anything was moved.
  explicit LayoutMemory(Parts parts);

  /// The way it was left.
  void restore();
  void save() const;
  /// The way it was built; what was kept is forgotten.
  void reset();
  /// The window has another width: the dock of runs takes what suits it.
  void fitRuns();

 private:
  struct Divided {
    QPointer<QSplitter> splitter;
    QByteArray asBuilt;
  };

  Parts parts_;
  QByteArray asBuilt_;
  std::vector<Divided> divided_;  ///< of the pages
};

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <string>

class QWidget;

namespace slipstream::ui {

class ChartsPage;
class MainWindow;
class Workspace;

/// The window at hand. Another language is another window: what it shows lives in the workspace, and how it stands is
/// carried over.
class Windows : public QObject {
  Q_OBJECT

 public:
  explicit Windows(Workspace& workspace);
  ~Windows() override;

  MainWindow& open();
  MainWindow& window() const { return *window_; }

  /// Says why the program ends at once; those who clicked on an icon see no error stream. Without a screen it is left
  /// to that.
  static void tellRefusal(QWidget* parent, const std::string& words);

 private:
  void replace();
  static ChartsPage& chartsOf(const MainWindow& window);

  Workspace& workspace_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace slipstream::ui

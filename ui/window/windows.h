// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <string>

class QWidget;

namespace slipstream::ui {

/// Windows made from now on speak this language: "en", "zh_CN", or empty for the system's. Numbers follow it.
void useLanguage(const QString& language);

class ChartsPage;
class MainWindow;
class Workspace;

/// The current window. Another language needs another window: what it shows lives in the workspace, and its layout is
/// carried over.
class Windows : public QObject {
  Q_OBJECT

 public:
  explicit Windows(Workspace& workspace);
  ~Windows() override;

  MainWindow& open();
  MainWindow& window() const { return *window_; }

  /// Shows why the program ends at once; those who clicked on an icon see no error stream. Does nothing without a
  /// screen.
  static void reportRefusal(QWidget* parent, const std::string& message);

 private:
  void replace();
  static ChartsPage& chartsOf(const MainWindow& window);

  Workspace& workspace_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLineEdit>
#include <QPointer>
#include <functional>
#include <vector>

#include "ui/store/latest_request.h"
#include "ui/window/command_list.h"
#include "ui/workspace/workspace.h"

class QFrame;
class QListView;

namespace slipstream::ui {

/// Finds what the window can do, its runs and its metrics by a few letters, shows keys, and does it. Up and down
/// choose, Enter does it, Escape leaves.
class CommandBox : public QLineEdit {
  Q_OBJECT

 public:
  /// `actions` is asked whenever the box is opened.
  CommandBox(Workspace& workspace, std::function<std::vector<QAction*>()> actions, QWidget* parent);

  /// Takes the focus and opens the list.
  void begin();
  CommandList& list() { return list_; }
  bool isListOpen() const;

 protected:
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rememberFocus(QWidget* before, QWidget* now);
  void open();
  void leave();
  void place();
  void choose(int step);
  void perform();
  void fill(const std::vector<std::string>& metrics);

  Workspace& workspace_;
  std::function<std::vector<QAction*>()> actions_;
  CommandList list_;
  QFrame* popup_ = nullptr;
  QListView* view_ = nullptr;
  QPointer<QWidget> before_;  ///< what had the focus
  LatestRequest latest_;
};

}  // namespace slipstream::ui

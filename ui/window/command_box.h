#pragma once

#include <QAction>
#include <QLineEdit>
#include <functional>
#include <vector>

namespace slipstream::ui {

/// Finds what the window can do by a few letters, shows its key, and does it.
class CommandBox : public QLineEdit {
  Q_OBJECT

 public:
  /// `actions` is asked whenever the box is opened.
  CommandBox(std::function<std::vector<QAction*>()> actions, QWidget* parent);

 private:
  std::function<std::vector<QAction*>()> actions_;
};

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>
#include <vector>

namespace slipstream::ui {

/// Which runs the pages are about.
class RunSelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The one run of pages about one run; empty: none.
  const std::string& current() const { return current_; }
  /// The runs of pages about several, `current()` among them, in the order in which they were chosen.
  const std::vector<std::string>& shown() const { return shown_; }

  void setCurrent(const std::string& run);
  void setShown(const std::vector<std::string>& runs, const std::string& current);

 Q_SIGNALS:
  void changed();

 private:
  std::string current_;
  std::vector<std::string> shown_;
};

}  // namespace slipstream::ui

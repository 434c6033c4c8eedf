// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/store_page.h"

namespace slipstream::ui {

/// A page about the runs that are shown: what was made of them. While a run lives it writes more often than a statistic
/// is worth: such a page is made anew every other second, and only while it is seen.
class ShownRunsPage : public StorePage {
  Q_OBJECT

 public:
  ShownRunsPage(Workspace& workspace, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page.
  void begin(QWidget* body);
  /// Asks the store where mustAsk(), and says so where there is nothing to ask.
  virtual void refresh() = 0;

  /// What is shown is of no run any more, and no answer under way counts.
  void forget();
  /// Another question, or a store that was written to since the last one.
  bool mustAsk(bool sameQuestion);

 private:
  void makeAnew() override { refresh(); }
  void missed() override;

  std::int64_t version_ = -1;  ///< of the store when it was asked
};

}  // namespace slipstream::ui

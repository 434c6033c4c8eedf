// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/parts/run_title.h"
#include "ui/workspace/store_page.h"

namespace slipstream::ui {

/// A page about the current run: its title, and what is drawn of it. A living run is read again once a second, and only
/// while the page is seen.
class RunPage : public StorePage {
  Q_OBJECT

 public:
  RunPage(Workspace& workspace, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page: `content` scrolls, `withoutRun` is said where no run is chosen.
  void begin(QWidget* content, const QString& withoutRun);
  /// Forgets what was read and how it was looked at: another run is chosen.
  virtual void forget() = 0;
  /// Asks the store for run(), which is not empty.
  virtual void ask() = 0;

  void askAgain();  ///< at once
  void askLater();  ///< at the next second, where the page is seen
  /// Draws the content, or says that no step was recorded.
  void showContent(bool hasSteps);

  const std::string& run() const { return run_; }
  RunTitle& runTitle() { return *title_; }

 private:
  void makeAnew() override { askAgain(); }
  void missed() override { askLater(); }
  void runChanged();
  void storeChanged();

  RunTitle* title_;
  QString withoutRun_;
  std::string run_;
  bool stale_ = true;
};

}  // namespace slipstream::ui

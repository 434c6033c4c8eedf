// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/actions.h"
#include "ui/workspace/page.h"

class QHBoxLayout;
class QVBoxLayout;

namespace slipstream::ui {

/// What a window without runs begins with: an example that needs nothing, and the ways to one's own work.
class WelcomePage : public Page {
  Q_OBJECT

 public:
  WelcomePage(Workspace& workspace, const Actions& actions, QWidget* parent);

  PageId id() const override { return PageId::welcome; }
  QString title() const override { return tr("Welcome"); }
  bool needsRuns() const override { return false; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void spread();
  QWidget* header() const;
  QWidget* example(const Actions& actions) const;
  QWidget* ways(const Actions& actions);
  void listStores();

  QHBoxLayout* sides_ = nullptr;
  QVBoxLayout* stores_ = nullptr;
};

}  // namespace slipstream::ui

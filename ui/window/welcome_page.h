#pragma once

#include "ui/window/actions.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {

/// What a window without runs begins with.
class WelcomePage : public Page {
  Q_OBJECT

 public:
  WelcomePage(Workspace& workspace, const Actions& actions, QWidget* parent);

  QString name() const override { return QStringLiteral("welcome"); }
  QString title() const override { return tr("Welcome"); }
  bool needsRuns() const override { return false; }
};

}  // namespace slipstream::ui

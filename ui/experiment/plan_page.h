#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class PlanPage : public Page {
  Q_OBJECT

 public:
  PlanPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("plan"); }
  QString title() const override { return tr("Plan"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }
};

}  // namespace slipstream::ui

#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class BoostPage : public Page {
  Q_OBJECT

 public:
  BoostPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("boost"); }
  QString title() const override { return tr("Boost"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }
};

}  // namespace slipstream::ui

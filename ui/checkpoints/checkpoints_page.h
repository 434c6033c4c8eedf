#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class CheckpointsPage : public Page {
  Q_OBJECT

 public:
  CheckpointsPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("checkpoints"); }
  QString title() const override { return tr("Checkpoints"); }
};

}  // namespace slipstream::ui

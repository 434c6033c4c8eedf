#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class ComparePage : public Page {
  Q_OBJECT

 public:
  ComparePage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("compare"); }
  QString title() const override { return tr("Compare"); }
};

}  // namespace slipstream::ui

#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class ReportPage : public Page {
  Q_OBJECT

 public:
  ReportPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("report"); }
  QString title() const override { return tr("Report"); }
};

}  // namespace slipstream::ui

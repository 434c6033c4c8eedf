#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class ChartsPage : public Page {
  Q_OBJECT

 public:
  ChartsPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("charts"); }
  QString title() const override { return tr("Charts"); }
};

}  // namespace slipstream::ui

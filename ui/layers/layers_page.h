#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class LayersPage : public Page {
  Q_OBJECT

 public:
  LayersPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("layers"); }
  QString title() const override { return tr("Layers"); }
};

}  // namespace slipstream::ui

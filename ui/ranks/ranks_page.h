#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class RanksPage : public Page {
  Q_OBJECT

 public:
  RanksPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("ranks"); }
  QString title() const override { return tr("Ranks"); }
};

}  // namespace slipstream::ui

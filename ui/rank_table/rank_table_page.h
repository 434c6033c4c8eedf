#pragma once

#include "ui/workspace/page.h"

namespace slipstream::ui {

class RankTablePage : public Page {
  Q_OBJECT

 public:
  RankTablePage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("rank-table"); }
  QString title() const override { return tr("Rank table"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().rankTable(); }
};

}  // namespace slipstream::ui

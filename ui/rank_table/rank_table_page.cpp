#include "ui/rank_table/rank_table_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

RankTablePage::RankTablePage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(tr("Nothing to edit yet"), tr("Open a rank table or generate one.")));
}

}  // namespace slipstream::ui

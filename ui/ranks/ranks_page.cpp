#include "ui/ranks/ranks_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

RanksPage::RanksPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(
      tr("No run is chosen"), tr("Choose a run on the left: the time and the memory of its ranks are drawn here.")));
}

}  // namespace slipstream::ui

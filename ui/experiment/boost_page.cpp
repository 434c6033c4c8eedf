#include "ui/experiment/boost_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

BoostPage::BoostPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(tr("No experiment is open"), tr("Open one, or begin with an example.")));
}

}  // namespace slipstream::ui

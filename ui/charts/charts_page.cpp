#include "ui/charts/charts_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

ChartsPage::ChartsPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(
      new EmptyState(tr("No run is chosen"), tr("Choose runs on the left: their curves are drawn here.")));
}

}  // namespace slipstream::ui

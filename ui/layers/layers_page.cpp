#include "ui/layers/layers_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

LayersPage::LayersPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(
      tr("No run is chosen"), tr("Choose a run on the left: what the algorithms do to each layer is drawn here.")));
}

}  // namespace slipstream::ui

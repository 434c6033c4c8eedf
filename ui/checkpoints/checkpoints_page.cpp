#include "ui/checkpoints/checkpoints_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

CheckpointsPage::CheckpointsPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(
      new EmptyState(tr("No run is chosen"), tr("Choose a run on the left: its checkpoints are listed here.")));
}

}  // namespace slipstream::ui

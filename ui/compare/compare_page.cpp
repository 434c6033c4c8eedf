#include "ui/compare/compare_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

ComparePage::ComparePage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(tr("Nothing to compare"), tr("Choose two runs or more on the left.")));
}

}  // namespace slipstream::ui

#include "ui/report/report_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

ReportPage::ReportPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  layout->addWidget(new EmptyState(tr("No run is chosen"), tr("Choose runs on the left: their report is shown here.")));
}

}  // namespace slipstream::ui

#include "ui/runs/runs_dock.h"

#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

RunsDock::RunsDock(Workspace& workspace, QWidget* parent)
    : QDockWidget(parent), workspace_(workspace), filter_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("runs"));
  setWindowTitle(tr("Runs and experiments"));
  auto* body = new QWidget;
  body->setProperty("page", true);
  QVBoxLayout* layout = column(body);
  layout->setContentsMargins(gapText, gapText, gapText, 0);
  filter_->setPlaceholderText(tr("Filter, e.g. algo:adasum"));
  layout->addWidget(filter_);
  layout->addWidget(list_);
  setWidget(body);
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunsDock::refresh);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
    if (row >= 0) workspace_.selection().setCurrent(snapshot->runs[static_cast<std::size_t>(row)].run.id);
  });
  refresh();
}

void RunsDock::focusFilter() {
  filter_->setFocus(Qt::ShortcutFocusReason);
}

void RunsDock::refresh() {
  list_->clear();
  for (const RunRow& row : workspace_.store().snapshot()->runs) list_->addItem(row.title());
}

}  // namespace slipstream::ui

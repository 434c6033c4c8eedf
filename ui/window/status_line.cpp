#include "ui/window/status_line.h"

#include <QHBoxLayout>
#include <QLocale>

#include "ui/parts/parts.h"
#include "ui/theme/state_shape.h"

namespace slipstream::ui {

StatusLine::StatusLine(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      engine_(label({}, TextSize::secondary)),
      details_(label({}, TextSize::secondary, true)),
      store_(label({}, TextSize::secondary, true)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(gapWide, 0, gapWide, 0);
  layout->setSpacing(gapWide);
  layout->addWidget(engine_);
  layout->addWidget(details_);
  layout->addStretch();
  layout->addWidget(store_);
  connect(&workspace.store(), &StoreWatcher::changed, this, &StatusLine::refresh);
  refresh();
}

void StatusLine::refresh() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const RunRow* living = nullptr;
  for (const RunRow& row : snapshot->runs) {
    if (!isTerminal(row.run.state)) living = &row;
  }
  engine_->setText(living == nullptr ? tr("Idle") : stateWord(living->run.state));
  details_->setText(living == nullptr ? QString() : living->title());
  const QString name = QString::fromStdString(workspace_.store().folder().filename().string());
  store_->setText(
      workspace_.store().isOpen()
          ? tr("%1/ · %2").arg(name, QLocale().formattedDataSize(snapshot->bytes, 1, QLocale::DataSizeSIFormat))
          : tr("No store is open"));
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/run_title.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "ui/widgets/widgets.h"
#include "ui/workspace/shown_rows.h"

namespace slipstream::ui {

RunTitle::RunTitle(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      name_(new ElidedLabel),
      choice_(iconButton(Symbol::down, tr("Choose another of the runs that are shown"))),
      runs_(new QMenu(choice_)),
      state_(new StateChip),
      summary_(new ElidedLabel) {
  QHBoxLayout* row = rowLayout(this);
  name_->setFont(textFont(TextSize::pageTitle));
  name_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  choice_->setMenu(runs_);
  choice_->setPopupMode(QToolButton::InstantPopup);
  summary_->setProperty("second", true);
  summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  auto* named = new QHBoxLayout;
  named->setSpacing(gapSmall);
  named->addWidget(name_);
  named->addWidget(choice_);
  row->addLayout(named);
  row->addWidget(state_);
  row->addWidget(summary_, 1);
  connect(runs_, &QMenu::aboutToShow, this, &RunTitle::fillChoice);
}

void RunTitle::setRun(const RunRow& row) {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  name_->setWhole(runName(*snapshot, row));
  state_->setState(row.run.state);
  const auto isThere = [&](const std::string& run) { return snapshot->find(run) != nullptr; };
  choice_->setVisible(std::ranges::count_if(workspace_.selection().shown(), isThere) > 1);
}

void RunTitle::setSummary(const QString& summary) {
  summary_->setWhole(summary);
}

void RunTitle::fillChoice() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const std::map<std::string, int> pens = shownSlots(workspace_);
  const RunNames names(*snapshot);
  RunSelection& selection = workspace_.selection();
  runs_->clear();
  for (const RunRow* row : shownRows(selection, *snapshot)) {
    const std::string& run = row->run.id;
    // In menus an ampersand marks a key.
    const QString name = names.of(*row).replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* action = runs_->addAction(swatchPixmap(pens.at(run), devicePixelRatioF()), name);
    action->setEnabled(run != selection.current());
    connect(action, &QAction::triggered, this, [&selection, run] { selection.setShown(selection.shown(), run); });
  }
}

}  // namespace slipstream::ui

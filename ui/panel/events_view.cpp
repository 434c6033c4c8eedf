// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/events_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

namespace slipstream::ui {

EventsView::EventsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      table_(new QTableView),
      none_(label(tr("No run is chosen."), TextSize::secondary, true)) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(this, 0);
  buildTable();
  layout->addWidget(table_, 1);
  none_->setContentsMargins(pageMargin, gapText, pageMargin, gapText);
  layout->addWidget(none_);
  layout->addStretch();
  table_->hide();
  connect(&workspace.store(), &StoreWatcher::changed, this, &EventsView::ask);
}

void EventsView::buildTable() {
  table_->setModel(&model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setAccessibleName(tr("Events"));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(std::max(26, table_->fontMetrics().height() + 8));
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  QHeaderView* head = table_->horizontalHeader();
  head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  head->setHighlightSections(false);
  head->setStretchLastSection(true);
  const QFontMetrics metrics(textFont(TextSize::section));
  const auto width = [&](const QString& text) { return metrics.horizontalAdvance(text) + gapSection; };
  head->resizeSection(EventsModel::time, width(QStringLiteral("2026-00-00 00:00:00")));
  head->resizeSection(EventsModel::rank, width(QStringLiteral("launcher")));
  head->resizeSection(EventsModel::level, width(QStringLiteral("information")) + gapSection);
  head->resizeSection(EventsModel::code, width(QStringLiteral("checkpoint_saved")));
  auto* copyAction = new QAction(icon(Symbol::copy), tr("Copy"), table_);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetShortcut);
  connect(copyAction, &QAction::triggered, this, &EventsView::copy);
  table_->addAction(copyAction);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void EventsView::showRun(const std::string& run) {
  if (run == run_) return;
  run_ = run;
  model_.clear();
  newest_.take();
  receive({});
  ask();
}

void EventsView::ask() {
  if (run_.empty()) return;
  const int ticket = newest_.take();
  workspace_.store().reader().read(
      this, [run = run_, after = model_.lastNumber()](RunStore& store) { return store.events(run, after); },
      [this, ticket](const std::vector<Event>& events) {
        if (newest_.isNewest(ticket)) receive(events);
      });
}

/// Stays at the end where it stood at the end.
void EventsView::receive(const std::vector<Event>& events) {
  const QScrollBar* bar = table_->verticalScrollBar();
  const bool follows = bar->value() >= bar->maximum();
  model_.append(events);
  if (follows && !events.empty()) table_->scrollToBottom();
  table_->setVisible(model_.rowCount() > 0);
  none_->setVisible(model_.rowCount() == 0);
  none_->setText(run_.empty() ? tr("No run is chosen.") : tr("Nothing has happened in this run yet."));
}

void EventsView::copy() const {
  QStringList lines;
  for (const QModelIndex& row : table_->selectionModel()->selectedRows()) {
    QStringList cells;
    for (int column = 0; column < EventsModel::columns; ++column)
      cells << row.siblingAtColumn(column).data().toString();
    lines << cells.join(QLatin1Char('\t'));
  }
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace slipstream::ui

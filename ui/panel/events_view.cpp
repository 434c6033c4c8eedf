// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/events_view.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDateTime>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

QIcon shapeOf(EventLevel level) {
  switch (level) {
    case EventLevel::information:
      return icon(Symbol::information, IconInk::second);
    case EventLevel::warning:
      return icon(Symbol::warning, IconInk::warning);
    case EventLevel::error:
      return icon(Symbol::error, IconInk::error);
  }
  return {};
}

QString wordOf(EventLevel level) {
  switch (level) {
    case EventLevel::information:
      return QCoreApplication::translate("Events", "information");
    case EventLevel::warning:
      return QCoreApplication::translate("Events", "warning");
    case EventLevel::error:
      return QCoreApplication::translate("Events", "error");
  }
  return {};
}

constexpr std::int64_t newsNanoseconds = 120'000'000'000;

QDateTime timeOf(std::int64_t wallNanoseconds) {
  return QDateTime::fromMSecsSinceEpoch(wallNanoseconds / 1'000'000);
}

}  // namespace

int EventsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(events_.size());
}

int EventsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QString EventsModel::textOf(const Event& event, int column) const {
  switch (column) {
    case time:
      return timeOf(event.wallNanoseconds).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    case rank:
      return event.rank < 0 ? tr("launcher") : QString::number(event.rank);
    case level:
      return wordOf(event.level);
    case code:
      return QString::fromStdString(event.code);
    default:
      return QString::fromStdString(event.text);
  }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Event& shown = event(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return textOf(shown, index.column());
    case Qt::ToolTipRole:
      return index.column() == text ? textOf(shown, text) : QVariant();
    case Qt::DecorationRole:
      return index.column() == level ? shapeOf(shown.level) : QVariant();
    case Qt::FontRole:
      return index.column() == code ? fixedFont() : QVariant();
    default:
      return {};
  }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case time:
      return tr("Time");
    case rank:
      return tr("Rank");
    case level:
      return tr("Level");
    case code:
      return tr("Code");
    default:
      return tr("What happened");
  }
}

void EventsModel::clear() {
  if (events_.empty()) return;
  beginRemoveRows({}, 0, rowCount() - 1);
  events_.clear();
  endRemoveRows();
}

void EventsModel::append(const std::vector<Event>& events) {
  if (events.empty()) return;
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(events.size()) - 1);
  events_.insert(events_.end(), events.begin(), events.end());
  endInsertRows();
}

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
  QHeaderView* header = table_->horizontalHeader();
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setHighlightSections(false);
  header->setStretchLastSection(true);
  const QFontMetrics metrics(textFont(TextSize::section));
  const auto width = [&](const QString& text) { return metrics.horizontalAdvance(text) + gapSection; };
  header->resizeSection(EventsModel::time, width(QStringLiteral("2026-00-00 00:00:00")));
  header->resizeSection(EventsModel::rank, width(QStringLiteral("launcher")));
  header->resizeSection(EventsModel::level, width(QStringLiteral("information")) + gapSection);
  header->resizeSection(EventsModel::code, width(QStringLiteral("checkpoint_saved")));
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
  reportedUntil_ = 0;
  model_.clear();
  latest_.take();
  receive({});
  ask();
}

void EventsView::ask() {
  if (run_.empty()) return;
  const int ticket = latest_.take();
  workspace_.store().reader().read(
      this,
      [run = run_, after = model_.lastNumber(), living = isLivingRun()](RunStore& store) {
        const std::vector<CheckpointRow> kept = living ? store.checkpoints(run) : std::vector<CheckpointRow>();
        return News{store.events(run, after), kept.empty() ? std::nullopt : std::optional(kept.back())};
      },
      [this, ticket](const News& news) {
        if (latest_.isLatest(ticket)) receive(news);
      });
}

/// Stays at the end where it was at the end.
void EventsView::receive(const News& news) {
  const QScrollBar* bar = table_->verticalScrollBar();
  const bool follows = bar->value() >= bar->maximum();
  model_.append(news.events);
  if (follows && !news.events.empty()) table_->scrollToBottom();
  table_->setVisible(model_.rowCount() > 0);
  none_->setVisible(model_.rowCount() == 0);
  none_->setText(run_.empty() ? tr("No run is chosen.") : tr("Nothing has happened in this run yet."));
  reportNewest(news);
}

bool EventsView::isLivingRun() const {
  const RunRow* row = workspace_.store().snapshot()->find(run_);
  return row != nullptr && isLiving(row->run.state);
}

/// What happened long ago is no news when its run is chosen.
void EventsView::reportNewest(const News& news) {
  if (!isLivingRun()) return;
  const std::int64_t event = news.events.empty() ? 0 : news.events.back().wallNanoseconds;
  const std::int64_t checkpoint = news.checkpoint ? news.checkpoint->wallNanoseconds : 0;
  const std::int64_t newest = std::max(event, checkpoint);
  if (newest <= reportedUntil_ || wallNanoseconds() - newest > newsNanoseconds) return;
  reportedUntil_ = newest;
  if (event >= checkpoint) return Q_EMIT happened(timeOf(event), QString::fromStdString(news.events.back().text));
  Q_EMIT happened(timeOf(checkpoint), tr("Checkpoint of step %1 complete, %2")
                                          .arg(QLocale().toString(static_cast<qlonglong>(news.checkpoint->step)),
                                               QString::fromStdString(sizeText(news.checkpoint->bytes))));
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

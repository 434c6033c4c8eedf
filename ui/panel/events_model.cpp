// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/events_model.h"

#include <QCoreApplication>
#include <QDateTime>

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
      return QDateTime::fromMSecsSinceEpoch(event.wallNanoseconds / 1'000'000)
          .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
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

}  // namespace slipstream::ui

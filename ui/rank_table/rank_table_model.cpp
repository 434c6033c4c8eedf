// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/rank_table_model.h"

#include <QIODevice>
#include <QMimeData>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream::ui {
namespace {

const QString linesFormat = QStringLiteral("application/x-slipstream-rank-table-lines");
constexpr std::size_t ranksInShort = 4;

std::set<RankTablePosition> placesIn(const QMimeData* data) {
  QByteArray bytes = data->data(linesFormat);
  QDataStream stream(&bytes, QIODevice::ReadOnly);
  std::set<RankTablePosition> places;
  while (!stream.atEnd()) {
    RankTablePosition place;
    stream >> place.server >> place.device;
    places.insert(place);
  }
  return places;
}

}  // namespace

QString rankRange(const ServerLine& server) {
  std::vector<std::int64_t> ranks;
  for (const DeviceLine& device : server.devices) {
    if (const auto rank = parseInteger(device.rank)) ranks.push_back(*rank);
  }
  if (ranks.empty()) return {};
  std::sort(ranks.begin(), ranks.end());
  const bool dense = ranks.back() - ranks.front() + 1 == std::ssize(ranks);
  if (dense && ranks.size() > 1) return QStringLiteral("%1 – %2").arg(ranks.front()).arg(ranks.back());
  QStringList parts;
  for (std::size_t i = 0; i < std::min(ranks.size(), ranksInShort); ++i) parts << QString::number(ranks[i]);
  if (ranks.size() > ranksInShort) parts << QStringLiteral("…");
  return parts.join(QStringLiteral(", "));
}

RankTableModel::RankTableModel(RankTableDocument& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document) {
  for (const ServerLine& line : document.lines()) servers_.push_back(std::make_unique<ServerLine>(line));
  connect(&document, &Document::problemsChanged, this, &RankTableModel::follow);
}

RankTablePosition RankTableModel::placeOf(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto* server = static_cast<const ServerLine*>(index.internalPointer());
  return server == nullptr ? RankTablePosition{index.row(), -1} : RankTablePosition{rowOf(server), index.row()};
}

QModelIndex RankTableModel::indexOf(RankTablePosition place, RankTableCell cell) const {
  if (place.server < 0) return {};
  if (place.device < 0) return index(place.server, 0);
  return index(place.device, static_cast<int>(cell), index(place.server, 0));
}

int RankTableModel::rowOf(const ServerLine* server) const {
  const auto found =
      std::find_if(servers_.begin(), servers_.end(), [&](const auto& one) { return one.get() == server; });
  return static_cast<int>(found - servers_.begin());
}

QModelIndex RankTableModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, nullptr);
  return createIndex(row, column, servers_[static_cast<std::size_t>(parent.row())].get());
}

QModelIndex RankTableModel::parent(const QModelIndex& child) const {
  const auto* server = child.isValid() ? static_cast<const ServerLine*>(child.internalPointer()) : nullptr;
  return server == nullptr ? QModelIndex() : createIndex(rowOf(server), 0, nullptr);
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(servers_.size());
  if (parent.column() > 0 || parent.internalPointer() != nullptr) return 0;
  return static_cast<int>(servers_[static_cast<std::size_t>(parent.row())]->devices.size());
}

int RankTableModel::columnCount(const QModelIndex&) const {
  return 3;
}

QString RankTableModel::serverText(const ServerLine& server, RankTableCell cell) const {
  if (cell == RankTableCell::name) return QString::fromStdString(server.id);
  if (cell == RankTableCell::rank) return rankRange(server);
  return tr("%n device(s)", nullptr, static_cast<int>(server.devices.size()));
}

QString RankTableModel::text(RankTablePosition place, RankTableCell cell) const {
  const ServerLine& server = *servers_[static_cast<std::size_t>(place.server)];
  if (place.device < 0) return serverText(server, cell);
  const DeviceLine& device = server.devices[static_cast<std::size_t>(place.device)];
  if (cell == RankTableCell::rank) return QString::fromStdString(device.rank);
  return QString::fromStdString(cell == RankTableCell::name ? device.id : device.address);
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RankTablePosition place = placeOf(index);
  const auto cell = static_cast<RankTableCell>(index.column());
  const bool isServer = place.device < 0;
  const auto number = [](std::optional<Verdict> mark) { return mark ? QVariant(static_cast<int>(*mark)) : QVariant(); };
  switch (role) {
    case Qt::DisplayRole:
      if (!isServer && cell == RankTableCell::name) return tr("device %1").arg(text(place, cell));
      return text(place, cell);
    case Qt::EditRole:
      return text(place, cell);
    case Qt::ToolTipRole: {
      const QString mistakes = document_.mistakesOf(place, cell);
      if (!mistakes.isEmpty()) return mistakes;
      return index.data(isPlaceholderRole).toBool()
                 ? QVariant(tr("A placeholder address. Ranks on one machine need none; across machines, enter the "
                               "card's real address."))
                 : QVariant();
    }
    case isPlaceholderRole:
      return !isServer && cell == RankTableCell::address && isPlaceholderAddress(text(place, cell).toStdString());
    case markRole:
      return number(document_.markOf(place, cell));
    case lineMarkRole:
      return number(document_.markOf(place));
    case isServerRole:
      return isServer;
    default:
      return {};
  }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QString headings[] = {tr("Server and device"), tr("Rank"), tr("Device address")};
  return section >= 0 && section < 3 ? headings[section] : QString();
}

Qt::ItemFlags RankTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  const bool isServer = index.internalPointer() == nullptr;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
  if (!document_.isReadable()) return Qt::ItemIsSelectable;
  if (isServer) flags |= Qt::ItemIsDropEnabled;
  if (!isServer || index.column() == 0) flags |= Qt::ItemIsEditable;
  return flags;
}

bool RankTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole) return false;
  const std::string typed = value.toString().trimmed().toStdString();
  const RankTablePosition place = placeOf(index);
  const auto cell = static_cast<RankTableCell>(index.column());
  if (typed == text(place, cell).toStdString()) return false;
  document_.change(tr("Write %1").arg(value.toString().trimmed()),
                   [&](Json& root) { setCell(root, place, cell, typed); });
  return true;
}

void RankTableModel::follow() {
  const std::vector<ServerLine>& lines = document_.lines();
  const auto same = [&](std::size_t row, std::size_t line) { return servers_[row]->id == lines[line].id; };
  const LineChanges changes = lineChanges(servers_.size(), lines.size(), same);
  if (changes.removed > 0) {
    beginRemoveRows({}, changes.firstRemoved(), changes.lastRemoved());
    servers_.erase(servers_.begin() + changes.firstRemoved(), servers_.begin() + changes.lastRemoved() + 1);
    endRemoveRows();
  }
  if (changes.inserted > 0) {
    beginInsertRows({}, changes.firstInserted(), changes.lastInserted());
    for (int row = changes.firstInserted(); row <= changes.lastInserted(); ++row) {
      servers_.insert(servers_.begin() + row, std::make_unique<ServerLine>(lines[static_cast<std::size_t>(row)]));
    }
    endInsertRows();
  }
  for (std::size_t row = 0; row < lines.size(); ++row) {
    servers_[row]->id = lines[row].id;
    followDevices(static_cast<int>(row), lines[row].devices);
  }
  if (!lines.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  Q_EMIT followed();
}

void RankTableModel::followDevices(int row, const std::vector<DeviceLine>& lines) {
  std::vector<DeviceLine>& devices = servers_[static_cast<std::size_t>(row)]->devices;
  const QModelIndex server = index(row, 0);
  const auto same = [&](std::size_t old, std::size_t now) { return devices[old] == lines[now]; };
  const LineChanges changes = lineChanges(devices.size(), lines.size(), same);
  if (changes.removed > 0) {
    beginRemoveRows(server, changes.firstRemoved(), changes.lastRemoved());
    devices.erase(devices.begin() + changes.firstRemoved(), devices.begin() + changes.lastRemoved() + 1);
    endRemoveRows();
  }
  if (changes.inserted > 0) {
    beginInsertRows(server, changes.firstInserted(), changes.lastInserted());
    devices.insert(devices.begin() + changes.firstInserted(), lines.begin() + changes.firstInserted(),
                   lines.begin() + changes.lastInserted() + 1);
    endInsertRows();
  }
  devices = lines;
  if (!lines.empty()) {
    Q_EMIT dataChanged(index(0, 0, server), index(static_cast<int>(lines.size()) - 1, columnCount() - 1, server));
  }
}

QStringList RankTableModel::mimeTypes() const {
  return {linesFormat};
}

QMimeData* RankTableModel::mimeData(const QModelIndexList& indexes) const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  for (const QModelIndex& index : indexes) {
    if (index.column() != 0) continue;
    const RankTablePosition place = placeOf(index);
    stream << place.server << place.device;
  }
  auto* data = new QMimeData;
  data->setData(linesFormat, bytes);
  return data;
}

bool RankTableModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex& parent) const {
  if (!data->hasFormat(linesFormat)) return false;
  const std::set<RankTablePosition> places = placesIn(data);
  const bool servers =
      std::any_of(places.begin(), places.end(), [](const RankTablePosition& place) { return place.device < 0; });
  return !places.empty() && (servers ? !parent.isValid() : parent.isValid());
}

bool RankTableModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                  const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  const std::set<RankTablePosition> places = placesIn(data);
  const int before = row < 0 ? rowCount(parent) : row;
  if (parent.isValid()) {
    document_.change(tr("Move devices"), [&](Json& root) { moveDevices(root, places, {parent.row(), before}); });
    return false;
  }
  std::set<int> servers;
  for (const RankTablePosition& place : places) {
    if (place.device < 0) servers.insert(place.server);
  }
  document_.change(tr("Move servers"), [&](Json& root) { moveServers(root, servers, before); });
  return false;
}

}  // namespace slipstream::ui

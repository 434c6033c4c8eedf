// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/checkpoints/checkpoint_model.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::int64_t nanosecondsPerMillisecond = 1'000'000;

/// In the order of the list: of one step the snapshot first.
std::tuple<std::int64_t, int> keyOf(const CheckpointEntry& entry) {
  return {entry.weights.step, -static_cast<int>(entry.weights.kind)};
}

QString sizeIn(const SizeUnit& unit, const std::optional<std::int64_t>& bytes) {
  return bytes ? unit.of(*bytes) : QStringLiteral("–");
}

QString timeOf(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return QStringLiteral("–");
  return QDateTime::fromMSecsSinceEpoch(nanoseconds / nanosecondsPerMillisecond)
      .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString accuracyText(const std::optional<double>& share) {
  if (!share) return QStringLiteral("–");
  return text(quantityText(100 * *share, Quantity::percent));
}

bool isNumber(int column) {
  return column != CheckpointModel::stageColumn && column != CheckpointModel::kindColumn &&
         column != CheckpointModel::timeColumn && column != CheckpointModel::evaluationColumn;
}

}  // namespace

QString CheckpointModel::cellText(const CheckpointEntry& entry, int column) const {
  const StoredWeights& one = entry.weights;
  switch (column) {
    case stepColumn:
      return text(countText(one.step));
    case stageColumn:
      return one.stage.empty() ? QStringLiteral("–") : text(one.stage);
    case epochColumn:
      return QLocale().toString(one.epoch, 'f', 2);
    case kindColumn:
      return markedKind(entry);
    case timeColumn:
      return timeOf(one.wallNanoseconds);
    case sizeColumn:
      return sizeIn(unit_, one.bytes);
    case ownColumn:
      return sizeIn(unit_, one.ownBytes);
    case newColumn:
      return sizeIn(unit_, one.newBytes);
    case attemptColumn:
      return QString::number(one.attempt);
    case accuracyColumn:
      return accuracyText(entry.accuracy);
    case evaluationColumn:
      return entry.evaluation.isEmpty() ? tr("not yet") : entry.evaluation;
    default:
      return {};
  }
}

/// "complete · best kept · last"
QString CheckpointModel::markedKind(const CheckpointEntry& entry) const {
  QStringList words{kindText(entry.weights.kind)};
  if (entry.weights.kind != WeightsKind::snapshot) {
    if (entry.weights.step == best_) words << tr("best kept", "of the accuracies beside checkpoints");
    if (entry.weights.step == last_) words << tr("last", "of the checkpoints");
  }
  return words.join(QStringLiteral(" · "));
}

void CheckpointModel::findMarked() {
  last_.reset();
  best_.reset();
  std::optional<double> highest;
  int kept = 0, judged = 0;
  for (const CheckpointEntry& entry : entries_) {
    if (entry.weights.kind == WeightsKind::snapshot) continue;
    ++kept;
    last_ = entry.weights.step;
    if (!entry.accuracy) continue;
    ++judged;
    if (highest && *highest >= *entry.accuracy) continue;
    highest = entry.accuracy;
    best_ = entry.weights.step;
  }
  if (kept < 2) last_.reset();
  if (judged < 2) best_.reset();
}

bool CheckpointModel::sharesAny() const {
  return std::ranges::any_of(entries_, [](const CheckpointEntry& entry) {
    const StoredWeights& one = entry.weights;
    return one.ownBytes.value_or(one.bytes) != one.bytes || one.newBytes.value_or(one.bytes) != one.bytes;
  });
}

QString kindText(WeightsKind kind) {
  switch (kind) {
    case WeightsKind::full:
      return CheckpointModel::tr("complete");
    case WeightsKind::weights:
      return CheckpointModel::tr("weights");
    case WeightsKind::snapshot:
      break;
  }
  return CheckpointModel::tr("snapshot");
}

QString evaluationText(const QByteArray& json) {
  const QJsonObject result = QJsonDocument::fromJson(json).object();
  const QJsonValue loss = result.value(QStringLiteral("loss"));
  // Values that are no numbers are shown by name.
  const QString lossText = loss.isString() ? loss.toString() : text(quantityText(loss.toDouble(), Quantity::loss));
  const double percent = 100 * result.value(QStringLiteral("accuracy")).toDouble();
  return CheckpointModel::tr("%1 %, loss %2").arg(text(quantityText(percent, Quantity::percent)), lossText);
}

void CheckpointModel::setEntries(std::vector<CheckpointEntry> entries) {
  std::int64_t largest = 0;
  for (const CheckpointEntry& entry : entries) largest = std::max(largest, entry.weights.bytes);
  unit_ = unitFor(static_cast<double>(largest));
  std::size_t at = 0;
  for (CheckpointEntry& entry : entries) {
    while (at < entries_.size() && keyOf(entries_[at]) < keyOf(entry)) {
      beginRemoveRows({}, static_cast<int>(at), static_cast<int>(at));
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
      endRemoveRows();
    }
    const int row = static_cast<int>(at);
    if (at < entries_.size() && keyOf(entries_[at]) == keyOf(entry)) {
      entries_[at] = std::move(entry);
      Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    } else {
      beginInsertRows({}, row, row);
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(at), std::move(entry));
      endInsertRows();
    }
    ++at;
  }
  if (at < entries_.size()) {
    beginRemoveRows({}, static_cast<int>(at), static_cast<int>(entries_.size()) - 1);
    entries_.resize(at);
    endRemoveRows();
  }
  findMarked();
  if (!entries_.empty()) Q_EMIT dataChanged(index(0, kindColumn), index(rowCount() - 1, kindColumn));
}

void CheckpointModel::setEvaluation(std::int64_t step, WeightsKind kind, const QString& message) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    CheckpointEntry& entry = entries_[i];
    if (entry.weights.step != step || entry.weights.kind != kind) continue;
    entry.evaluation = message;
    const QModelIndex cell = index(static_cast<int>(i), evaluationColumn);
    Q_EMIT dataChanged(cell, cell);
  }
}

int CheckpointModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int CheckpointModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant CheckpointModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const CheckpointEntry& entry = entries_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return cellText(entry, index.column());
  if (role == Qt::ToolTipRole) {
    const bool cut = index.column() == evaluationColumn || entry.keptFor.empty();
    return cut ? cellText(entry, index.column()) : text(entry.keptFor);
  }
  if (role == Qt::TextAlignmentRole) {
    return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ForegroundRole && entry.weights.kind == WeightsKind::snapshot) return tokens().secondText;
  return {};
}

QVariant CheckpointModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == ownColumn)
    return tr("What nothing else of the run shares: deleting frees it");
  if (role == Qt::ToolTipRole && section == newColumn) return tr("What was not in the store when it was kept");
  if (role != Qt::DisplayRole) return {};
  const auto inUnit = [this](const QString& heading) { return tr("%1, %2").arg(heading, unit_.name); };
  const QString headings[columns] = {tr("Step"),
                                     tr("Stage"),
                                     tr("Epoch"),
                                     tr("Kind"),
                                     tr("Time"),
                                     inUnit(tr("Size")),
                                     inUnit(tr("Exclusive")),
                                     inUnit(tr("Added")),
                                     tr("Attempt"),
                                     tr("Accuracy in the run, %"),
                                     tr("Evaluated")};
  return headings[section];
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_model.h"

#include <algorithm>

#include "ui/theme/icons.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// The same rows in the same order.
bool sameRows(const ArrangedRuns& a, const ArrangedRuns& b) {
  return std::ranges::equal(a.rows, b.rows, [](const TableRow& one, const TableRow& other) {
    return one.key == other.key && one.isClosed == other.isClosed;
  });
}

QString csvField(const QString& text) {
  static const QString special = QStringLiteral("\",\n\r");
  const bool quotes = std::ranges::any_of(text, [](QChar letter) { return special.contains(letter); });
  if (!quotes) return text;
  QString inside = text;
  return QLatin1Char('"') + inside.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

bool isSetting(std::size_t column) {
  return runColumns()[column].kind == ColumnKind::setting;
}

}  // namespace

CsvTable csvOf(const ArrangedRuns& table, const std::vector<std::size_t>& columns,
               const std::set<std::string>& ticked) {
  QStringList head{QStringLiteral("run"), columnHeading(runColumns()[*findRunColumn("name")])};
  for (const std::size_t column : columns) head << columnHeading(runColumns()[column]);
  std::ranges::transform(head, head.begin(), csvField);
  CsvTable csv{head.join(QLatin1Char(',')) + QStringLiteral("\r\n"), 0};
  const RunNames names(*table.snapshot);
  const auto add = [&](const KnownRun& run) {
    QStringList fields{QString::fromStdString(run.row->run.id), csvField(run.row->title() + names.markOf(*run.row))};
    for (const std::size_t column : columns) {
      fields << csvField(QString::fromStdString(plainText(runColumns()[column], run.values->columns[column])));
    }
    csv.text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    ++csv.runs;
  };
  for (const KnownRun& run : table.runs) {
    if (ticked.empty() || ticked.contains(run.row->run.id)) add(run);
  }
  for (const KnownRun& run : table.filtered) {
    if (ticked.contains(run.row->run.id)) add(run);
  }
  return csv;
}

void RunTableModel::take(ArrangedRunsPointer table) {
  const bool same = table_ && table && sameRows(*table_, *table);
  if (!same) beginResetModel();
  const ArrangedRunsPointer before = std::exchange(table_, std::move(table));  // rows point into it until the end
  const bool wasRead = before && before->unread > 0;
  refreshReference();
  if (!same) return endResetModel();
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  if (wasRead) Q_EMIT valuesRead();
}

void RunTableModel::setColumns(std::vector<std::size_t> columns) {
  if (columns == columns_) return;
  beginResetModel();
  columns_ = std::move(columns);
  endResetModel();
}

std::size_t RunTableModel::columnOf(int section) const {
  return section == 0 ? *findRunColumn("name") : columns_[static_cast<std::size_t>(section - 1)];
}

const TableRow& RunTableModel::at(int row) const {
  return table_->rows[static_cast<std::size_t>(row)];
}

bool RunTableModel::isGroup(int row) const {
  return at(row).run == nullptr;
}

int RunTableModel::rowOf(const std::string& run) const {
  if (!table_) return -1;
  const auto found = table_->places.find(run);
  return found == table_->places.end() ? -1 : found->second;
}

void RunTableModel::setTicked(std::set<std::string> runs) {
  if (runs == ticked_) return;
  ticked_ = std::move(runs);
  refreshReference();
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  Q_EMIT tickedChanged();
}

std::vector<std::string> RunTableModel::runsOfGroup(int row) const {
  std::vector<std::string> runs;
  const auto first = table_->runs.begin() + static_cast<std::ptrdiff_t>(at(row).first);
  std::for_each(first, first + at(row).runs, [&](const KnownRun& run) { runs.push_back(run.row->run.id); });
  return runs;
}

void RunTableModel::toggle(int row) {
  std::set<std::string> runs = ticked_;
  const bool ticks = tickOf(row) != Qt::Checked;
  const std::vector<std::string> about =
      isGroup(row) ? runsOfGroup(row) : std::vector<std::string>{at(row).run->run.id};
  for (const std::string& run : about) ticks ? static_cast<void>(runs.insert(run)) : static_cast<void>(runs.erase(run));
  setTicked(std::move(runs));
}

Qt::CheckState RunTableModel::tickOf(int row) const {
  if (!isGroup(row)) return ticked_.contains(at(row).run->run.id) ? Qt::Checked : Qt::Unchecked;
  const std::vector<std::string> runs = runsOfGroup(row);
  const auto ticked = std::ranges::count_if(runs, [this](const std::string& run) { return ticked_.contains(run); });
  if (ticked == 0) return Qt::Unchecked;
  return ticked == std::ssize(runs) ? Qt::Checked : Qt::PartiallyChecked;
}

std::vector<const RunValues*> RunTableModel::tickedValues() const {
  std::vector<const RunValues*> values;
  if (ticked_.size() < 2) return values;
  for (const auto* runs : {&table_->runs, &table_->filtered}) {
    for (const KnownRun& run : *runs) {
      if (ticked_.contains(run.row->run.id)) values.push_back(run.values.get());
    }
  }
  return values;
}

void RunTableModel::refreshReference() {
  baseline_.reset();
  tickedDiffer_.assign(runColumns().size(), false);
  if (!table_) return;
  for (const auto* runs : {&table_->runs, &table_->filtered}) {
    for (const KnownRun& run : *runs) {
      if (run.row->label.pinned) baseline_ = run.values;
    }
  }
  const std::vector<const RunValues*> values = tickedValues();
  for (std::size_t column = 0; column < tickedDiffer_.size() && values.size() > 1; ++column) {
    tickedDiffer_[column] = std::ranges::any_of(
        values, [&](const RunValues* one) { return one->columns[column] != values.front()->columns[column]; });
  }
}

bool RunTableModel::differs(int row, int section) const {
  if (section == 0 || isGroup(row) || !isSetting(columnOf(section))) return false;
  const std::size_t column = columnOf(section);
  if (ticked_.size() > 1) return tickedDiffer_[column] && ticked_.contains(at(row).run->run.id);
  return baseline_ && at(row).values->columns[column] != baseline_->columns[column];
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !table_ ? 0 : static_cast<int>(table_->rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 1;
}

QString RunTableModel::textAt(const TableRow& row, int column) const {
  if (column == 0) return row.title;
  if (row.run == nullptr) return {};
  return shownText(runColumns()[columnOf(column)], row.values->columns[columnOf(column)]);
}

/// Rows read in full from their first cell: "adasum #16, Failed", "Launch 22 Nov 14:02 · sweep, 64 runs, closed".
QString RunTableModel::spokenText(const TableRow& row, int column) const {
  if (row.run == nullptr) {
    const QString runs = tr("%n run(s)", nullptr, row.runs);
    return row.isClosed ? tr("%1, %2, closed").arg(row.title, runs) : tr("%1, %2, open").arg(row.title, runs);
  }
  if (column == 0) return tr("%1, %2").arg(row.title, stateText(row.run->run.state));
  return tr("%1: %2").arg(columnHeading(runColumns()[columnOf(column)]), textAt(row, column));
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const TableRow& row = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return textAt(row, index.column());
    case Qt::CheckStateRole:
      return index.column() == 0 ? QVariant(tickOf(index.row())) : QVariant();
    case Qt::AccessibleTextRole:
      return spokenText(row, index.column());
    case Qt::ToolTipRole:
      if (index.column() == 0 && row.run != nullptr && !row.run->run.why.empty()) {
        return plainToolTip(row.title + QLatin1Char('\n') + QString::fromStdString(row.run->run.why));
      }
      return plainToolTip(textAt(row, index.column()));
    default:
      return {};
  }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= columnCount()) return {};
  const RunColumn& column = runColumns()[columnOf(section)];
  if (role == Qt::DisplayRole) return columnHeading(column);
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    const QString key = QString::fromUtf8(column.key.data(), static_cast<qsizetype>(column.key.size()));
    return tr("%1. Filters call it %2.").arg(columnTitle(column), key);
  }
  return {};
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid() || index.column() != 0) return false;
  if (value.toInt() != tickOf(index.row())) toggle(index.row());
  return true;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  return index.column() == 0 ? all | Qt::ItemIsUserCheckable : all;
}

}  // namespace slipstream::ui

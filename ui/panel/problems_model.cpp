// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problems_model.h"

#include <algorithm>

namespace slipstream::ui {
namespace {

void append(std::vector<ProblemEntry>& entries, const Document& document, const QString& page) {
  const auto first = static_cast<std::ptrdiff_t>(entries.size());
  for (const Problem& problem : document.problems()) entries.push_back({problem, page});
  std::stable_partition(entries.begin() + first, entries.end(),
                        [](const ProblemEntry& entry) { return entry.problem.severity == Verdict::reject; });
}

}  // namespace

ProblemsModel::ProblemsModel(Workspace& workspace, QObject* parent)
    : QAbstractListModel(parent), workspace_(workspace) {
  for (const Document* document :
       {static_cast<Document*>(&workspace.rankTable()), static_cast<Document*>(&workspace.experiment())}) {
    connect(document, &Document::problemsChanged, this, &ProblemsModel::refresh);
  }
  refresh();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const ProblemEntry& shown = entry(index.row());
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return shown.words();
    case Qt::AccessibleTextRole:
      return shown.problem.severity == Verdict::reject ? tr("Error: %1").arg(shown.words())
                                                       : tr("Warning: %1").arg(shown.words());
    default:
      return {};
  }
}

void ProblemsModel::show(int row) const {
  const ProblemEntry& shown = entry(row);
  workspace_.goTo(shown.page);
  if (shown.problem.show) shown.problem.show();
}

void ProblemsModel::refresh() {
  std::vector<ProblemEntry> wanted;
  append(wanted, workspace_.rankTable(), QStringLiteral("rank-table"));
  append(wanted, workspace_.experiment(), QStringLiteral("boost"));
  merge(std::move(wanted));
  Q_EMIT countsChanged();
}

/// Rows at both ends that read alike stay; what is between them is replaced.
void ProblemsModel::merge(std::vector<ProblemEntry> wanted) {
  const auto same = [](const ProblemEntry& a, const ProblemEntry& b) { return a.sameWords(b); };
  const auto head = std::mismatch(entries_.begin(), entries_.end(), wanted.begin(), wanted.end(), same);
  const auto tail = std::mismatch(entries_.rbegin(), std::make_reverse_iterator(head.first), wanted.rbegin(),
                                  std::make_reverse_iterator(head.second), same);
  const int first = static_cast<int>(head.first - entries_.begin());
  const int oldEnd = static_cast<int>(tail.first.base() - entries_.begin());
  const int newEnd = static_cast<int>(tail.second.base() - wanted.begin());
  if (oldEnd > first) {
    beginRemoveRows({}, first, oldEnd - 1);
    entries_.erase(entries_.begin() + first, entries_.begin() + oldEnd);
    endRemoveRows();
  }
  if (newEnd > first) {
    beginInsertRows({}, first, newEnd - 1);
    entries_.insert(entries_.begin() + first, wanted.begin() + first, wanted.begin() + newEnd);
    endInsertRows();
  }
  entries_ = std::move(wanted);  // the same words, with the fixes of the text as it is now
}

int ProblemsModel::count(Verdict severity) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(), [severity](const ProblemEntry& entry) {
    return entry.problem.severity == severity;
  }));
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problems_model.h"

#include <QLocale>
#include <algorithm>

#include "engine/base/failure.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

void append(std::vector<ProblemEntry>& entries, const Document& document, PageId page) {
  const auto first = static_cast<std::ptrdiff_t>(entries.size());
  for (const Problem& problem : document.problems()) entries.push_back({problem, page});
  std::stable_partition(entries.begin() + first, entries.end(),
                        [](const ProblemEntry& entry) { return entry.problem.severity == Verdict::reject; });
}

}  // namespace

QString ProblemEntry::text() const {
  return QString::fromStdString(toText(Failure{problem.where.toStdString(), problem.value.toStdString(),
                                               problem.problem.toStdString(), problem.remedy.toStdString()}));
}

bool ProblemEntry::sameText(const ProblemEntry& other) const {
  const Problem& theirs = other.problem;
  return page == other.page && problem.severity == theirs.severity && problem.where == theirs.where &&
         problem.value == theirs.value && problem.problem == theirs.problem && problem.remedy == theirs.remedy &&
         problem.document == theirs.document && problem.place == theirs.place && problem.fixLabel == theirs.fixLabel;
}

ProblemsModel::ProblemsModel(Workspace& workspace, QObject* parent)
    : QAbstractListModel(parent), workspace_(workspace) {
  for (const Document* document : workspace.documents())
    connect(document, &Document::problemsChanged, this, &ProblemsModel::refresh);
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
      return shown.text();
    case Qt::AccessibleTextRole:
      return shown.problem.severity == Verdict::reject ? tr("Error: %1").arg(shown.text())
                                                       : tr("Warning: %1").arg(shown.text());
    default:
      return {};
  }
}

void ProblemsModel::show(int row) const {
  const ProblemEntry& shown = entry(row);
  workspace_.showPage(shown.page);
  if (shown.problem.show) shown.problem.show();
}

std::vector<ProblemGroup> ProblemsModel::fixable() const {
  std::vector<ProblemGroup> groups;
  for (const ProblemEntry& entry : entries_) {
    if (!entry.problem.fix || entry.problem.fixKind < 0) continue;
    if (groups.empty() || groups.back().page != entry.page) groups.push_back({entry.page, entry.problem.document});
    ++groups.back().fixes;
    ProblemGroup::Kind& kind = groups.back().kinds[entry.problem.fixKind];
    kind.label = entry.problem.kindLabel;
    ++kind.count;
  }
  std::erase_if(groups, [](const ProblemGroup& group) { return group.fixes < 2; });
  return groups;
}

void ProblemsModel::fixAll(PageId page, std::optional<int> kind, const QString& label) {
  const auto groups = fixable();
  const auto group = std::ranges::find(groups, page, &ProblemGroup::page);
  if (group == groups.end() || (page != PageId::rankTable && page != PageId::boost)) return;
  Document& document = page == PageId::rankTable ? static_cast<Document&>(workspace_.rankTable())
                                                 : static_cast<Document&>(workspace_.experiment());
  const QString title = group->title;
  const MadeFixes made = document.fixAll(kind, label);
  if (made.problems > 0) workspace_.report(fixedText(title, made));
}

/// "5 problems of table.json fixed: Use placeholder … (3), Remove colour. Undo brings them back."
QString ProblemsModel::fixedText(const QString& title, const MadeFixes& made) {
  QStringList parts;
  for (const auto& [name, count] : made.kinds) {
    parts << (count > 1 ? tr("%1 (%2)").arg(name, QLocale().toString(count)) : name);
  }
  return tr("%n problem(s) of %1 fixed: %2. Undo brings them back.", nullptr, made.problems).arg(title, listed(parts));
}

void ProblemsModel::refresh() {
  std::vector<ProblemEntry> wanted;
  append(wanted, workspace_.rankTable(), PageId::rankTable);
  append(wanted, workspace_.experiment(), PageId::boost);
  append(wanted, workspace_.studyDraft(), PageId::study);
  merge(std::move(wanted));
  Q_EMIT countsChanged();
}

/// Rows at both ends that read alike stay; what is between them is replaced.
void ProblemsModel::merge(std::vector<ProblemEntry> wanted) {
  const auto same = [](const ProblemEntry& a, const ProblemEntry& b) { return a.sameText(b); };
  const auto front = std::mismatch(entries_.begin(), entries_.end(), wanted.begin(), wanted.end(), same);
  const auto tail = std::mismatch(entries_.rbegin(), std::make_reverse_iterator(front.first), wanted.rbegin(),
                                  std::make_reverse_iterator(front.second), same);
  const int first = static_cast<int>(front.first - entries_.begin());
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
  entries_ = std::move(wanted);  // the same texts, with the fixes of the document as it is now
}

int ProblemsModel::count(Verdict severity) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(), [severity](const ProblemEntry& entry) {
    return entry.problem.severity == severity;
  }));
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

const RunColumn& columnAt(std::size_t place) {
  return runColumns()[place];
}

const RunValue& valueAt(const KnownRun& run, std::size_t column) {
  return run.values->columns[column];
}

/// Whether `a` comes before `b`; what is missing is last either way.
bool comesBefore(const KnownRun& a, const KnownRun& b, const std::vector<SortKey>& sort) {
  for (const SortKey& key : sort) {
    const RunValue &one = valueAt(a, key.column), &other = valueAt(b, key.column);
    if (one.isMissing() != other.isMissing()) return other.isMissing();
    if (one.isMissing()) continue;
    const int order = compareValues(columnAt(key.column), one, other);
    if (order != 0) return key.descending ? order > 0 : order < 0;
  }
  return a.row->run.createdAt > b.row->run.createdAt;
}

/// Launches, studies and experiments come by age, all else by its value.
bool isByAge(std::size_t column) {
  const std::string_view key = columnAt(column).key;
  return key == "group" || key == "study" || key == "experiment";
}

struct Group {
  std::string value;
  std::vector<KnownRun> runs;
  std::int64_t newest = 0, oldest = 0;
};

/// A launch of one run has no name of its own: the run stands for it.
std::string groupValueOf(const KnownRun& run, std::size_t column) {
  const RunColumn& about = columnAt(column);
  const RunValue& value = valueAt(run, column);
  if (about.key == "group" && value.isMissing()) return run.row->run.id;
  return value.isMissing() ? std::string() : valueText(about, value);
}

std::vector<Group> groupsOf(const std::vector<KnownRun>& runs, std::size_t column) {
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (const KnownRun& run : runs) {
    const std::string value = groupValueOf(run, column);
    const auto [place, isNew] = places.try_emplace(value, groups.size());
    if (isNew) groups.push_back({value, {}, 0, run.row->run.createdAt});
    Group& group = groups[place->second];
    group.runs.push_back(run);
    group.newest = std::max(group.newest, run.row->run.createdAt);
    group.oldest = std::min(group.oldest, run.row->run.createdAt);
  }
  const auto byValue = [column](const Group& a, const Group& b) {
    const RunValue &one = valueAt(a.runs.front(), column), &other = valueAt(b.runs.front(), column);
    if (one.isMissing() != other.isMissing()) return other.isMissing();
    return !one.isMissing() && compareValues(columnAt(column), one, other) < 0;
  };
  if (isByAge(column)) {
    std::ranges::stable_sort(groups, [](const Group& a, const Group& b) { return a.newest > b.newest; });
  } else {
    std::ranges::stable_sort(groups, byValue);
  }
  return groups;
}

/// "Launch 22 Nov 14:02 · sweep", "Network: lenet5"
QString titleOf(const Group& group, std::size_t column) {
  const RunColumn& about = columnAt(column);
  if (about.key == "group") {
    constexpr std::int64_t nanosecondsPerMillisecond = 1'000'000;
    const QDateTime begun = QDateTime::fromMSecsSinceEpoch(group.oldest / nanosecondsPerMillisecond);
    return QCoreApplication::translate("RunTable", "Launch %1 · %2")
        .arg(QLocale().toString(begun, QCoreApplication::translate("RunTable", "d MMM HH:mm", "date format")),
             QString::fromStdString(group.runs.front().row->run.experimentName));
  }
  const RunValue& value = valueAt(group.runs.front(), column);
  return QCoreApplication::translate("RunTable", "%1: %2")
      .arg(columnTitle(about),
           value.isMissing() ? QCoreApplication::translate("RunTable", "none") : shownText(about, value));
}

/// Of the column that is sorted by first, where better has a meaning in it.
RunValue bestOf(const std::vector<KnownRun>& runs, const std::vector<SortKey>& sort) {
  RunValue best;
  if (sort.empty() || columnAt(sort.front().column).better == Better::neither) return best;
  const bool higher = columnAt(sort.front().column).better == Better::higher;
  for (const KnownRun& run : runs) {
    const RunValue& value = valueAt(run, sort.front().column);
    if (!value.number || !std::isfinite(*value.number)) continue;
    if (!best.number || (higher ? *value.number > *best.number : *value.number < *best.number)) best = value;
  }
  return best;
}

class Arrangement {
 public:
  Arrangement(const TableRequest& request, const RunNames& names, ArrangedRuns& arranged)
      : request_(request), names_(names), arranged_(arranged) {}

  void add(std::vector<KnownRun> runs) {
    std::ranges::stable_sort(runs,
                             [this](const KnownRun& a, const KnownRun& b) { return comesBefore(a, b, request_.sort); });
    const RunValue best = bestOf(runs, request_.sort);
    for (const KnownRun& run : runs) addRun(run, runs.size() > 1 ? best : RunValue{});
  }

  void add(Group group) {
    TableRow head;
    head.key = "group " + group.value;
    head.title = titleOf(group, *request_.group);
    head.runs = static_cast<int>(group.runs.size());
    head.isClosed = request_.closed.contains(head.key);
    head.best = bestOf(group.runs, request_.sort);
    const bool open = !head.isClosed;
    arranged_.rows.push_back(std::move(head));
    if (open) add(std::move(group.runs));
  }

 private:
  void addRun(const KnownRun& run, const RunValue& best) {
    TableRow row;
    row.key = "run " + run.row->run.id;
    row.title = run.row->title() + names_.markOf(*run.row);
    row.run = run.row;
    row.values = run.values;
    row.isBest = best.number && valueAt(run, request_.sort.front().column) == best;
    arranged_.places[run.row->run.id] = static_cast<int>(arranged_.rows.size());
    arranged_.rows.push_back(std::move(row));
  }

  const TableRequest& request_;
  const RunNames& names_;
  ArrangedRuns& arranged_;
};

std::vector<bool> differencesOf(const std::vector<KnownRun>& runs) {
  std::vector<bool> differs(runColumns().size());
  for (std::size_t column = 0; column < differs.size() && !runs.empty(); ++column) {
    const RunValue& first = valueAt(runs.front(), column);
    differs[column] = std::ranges::any_of(runs, [&](const KnownRun& run) { return valueAt(run, column) != first; });
  }
  return differs;
}

ColumnExtent extentOf(const std::vector<KnownRun>& runs, std::size_t column) {
  ColumnExtent extent;
  std::unordered_map<std::string, int> texts;
  for (const KnownRun& run : runs) {
    const RunValue& value = valueAt(run, column);
    if (!value.text.empty()) ++texts[value.text];
    if (!value.number || !std::isfinite(*value.number)) continue;
    extent.lowest = extent.numbers == 0 ? *value.number : std::min(extent.lowest, *value.number);
    extent.highest = extent.numbers == 0 ? *value.number : std::max(extent.highest, *value.number);
    ++extent.numbers;
  }
  extent.texts.assign(texts.begin(), texts.end());
  std::ranges::sort(extent.texts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return extent;
}

}  // namespace

void arrange(const std::vector<KnownRun>& runs, const TableRequest& request, const RunNames& names,
             ArrangedRuns& arranged) {
  arranged.rows.reserve(runs.size());
  arranged.shown.reserve(runs.size());
  for (const KnownRun& run : runs) arranged.shown.push_back(run.row->run.id);
  arranged.differs = differencesOf(runs);
  if (!request.sort.empty()) arranged.sortedBy = request.sort.front();
  Arrangement arrangement(request, names, arranged);
  if (!request.group) return arrangement.add(runs);
  for (Group& group : groupsOf(runs, *request.group)) arrangement.add(std::move(group));
}

std::vector<ColumnExtent> extentsOf(const std::vector<KnownRun>& runs) {
  std::vector<ColumnExtent> extents;
  for (std::size_t column = 0; column < runColumns().size(); ++column) extents.push_back(extentOf(runs, column));
  return extents;
}

QString columnTitle(const RunColumn& column) {
  return QCoreApplication::translate("RunColumn", column.title);
}

QString columnHeading(const RunColumn& column) {
  const QString brief = QCoreApplication::translate("RunColumn", column.brief);
  const std::string_view unit = column.unit();
  if (unit.empty()) return brief;
  return QStringLiteral("%1, %2").arg(brief, QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())));
}

QString shownText(const RunColumn& column, const RunValue& value) {
  if (value.never) return QCoreApplication::translate("RunTable", "never");
  if (column.key == "state" && !value.isMissing()) {
    if (const auto state = stateNamed(value.text)) return stateText(*state);
  }
  return QString::fromStdString(valueText(column, value));
}

}  // namespace slipstream::ui

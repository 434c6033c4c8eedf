// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

const RunColumn& columnAt(std::size_t place) {
  return runColumns()[place];
}

const RunValue& valueAt(const KnownRun& run, std::size_t column) {
  return run.values->columns[column];
}

/// What a run is sorted by in one column: side by side in memory, since values lie all over it.
struct SortValue {
  enum Rank { number, notANumber, never, missing } rank = missing;
  double value = 0;
  const std::string* text = nullptr;
};

SortValue sortValueOf(const RunColumn& column, const RunValue& value) {
  if (value.isMissing()) return {};
  if (column.isText()) return {SortValue::number, 0, &value.text};
  if (value.never) return {SortValue::never, 0, nullptr};
  if (std::isnan(*value.number)) return {SortValue::notANumber, 0, nullptr};
  return {SortValue::number, *value.number, nullptr};
}

int order(const SortValue& a, const SortValue& b) {
  if (a.rank != b.rank) return a.rank < b.rank ? -1 : 1;
  if (a.text != nullptr && b.text != nullptr) return a.text->compare(*b.text);
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/// What is missing is last either way; runs that are alike come by age, the newest first.
std::vector<KnownRun> sorted(const std::vector<KnownRun>& runs, const std::vector<SortKey>& sort) {
  struct Place {
    std::size_t run;
    std::int64_t createdAt;
  };
  std::vector<std::vector<SortValue>> keys(sort.size());
  for (std::size_t key = 0; key < sort.size(); ++key) {
    const std::size_t column = sort[key].column;
    for (const KnownRun& run : runs) keys[key].push_back(sortValueOf(columnAt(column), valueAt(run, column)));
  }
  std::vector<Place> places;
  for (std::size_t run = 0; run < runs.size(); ++run) places.push_back({run, runs[run].row->run.createdAt});
  std::ranges::stable_sort(places, [&](const Place& a, const Place& b) {
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const SortValue &one = keys[key][a.run], &other = keys[key][b.run];
      const bool isMissing = one.rank == SortValue::missing;
      if (isMissing != (other.rank == SortValue::missing)) return !isMissing;
      const int found = order(one, other);
      if (found != 0) return sort[key].descending ? found > 0 : found < 0;
    }
    return a.createdAt > b.createdAt;
  });
  std::vector<KnownRun> found;
  found.reserve(runs.size());
  for (const Place& place : places) found.push_back(runs[place.run]);
  return found;
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

/// Newest launches first. The runs of a launch are in the order in which it has them, but with those of a variant
/// together: its seeds are one below the other.
std::vector<KnownRun> inOrderOfLaunches(const std::vector<KnownRun>& runs) {
  static const std::size_t launch = *findRunColumn("group"), variant = *findRunColumn("variant");
  struct Place {
    std::int64_t launch, variant, run;  ///< when they were created: the newest run of the launch, the oldest of others
    std::size_t index;
  };
  std::unordered_map<std::string, std::int64_t> newest, oldest;
  std::vector<std::pair<std::string, std::string>> keys;
  for (const KnownRun& run : runs) {
    const std::string ofLaunch = groupValueOf(run, launch);
    keys.emplace_back(ofLaunch, ofLaunch + '\n' + groupValueOf(run, variant));
    const std::int64_t createdAt = run.row->run.createdAt;
    std::int64_t& ofNewest = newest.try_emplace(keys.back().first, createdAt).first->second;
    std::int64_t& ofOldest = oldest.try_emplace(keys.back().second, createdAt).first->second;
    ofNewest = std::max(ofNewest, createdAt);
    ofOldest = std::min(ofOldest, createdAt);
  }
  std::vector<Place> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    places.push_back({-newest.at(keys[i].first), oldest.at(keys[i].second), runs[i].row->run.createdAt, i});
  }
  std::ranges::sort(places, {},
                    [](const Place& place) { return std::tuple(place.launch, place.variant, place.run, place.index); });
  std::vector<KnownRun> found;
  found.reserve(runs.size());
  for (const Place& place : places) found.push_back(runs[place.index]);
  return found;
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
    // In UTC, as the column "Created" and filters have it.
    const QDateTime begun = QDateTime::fromMSecsSinceEpoch(group.oldest / nanosecondsPerMillisecond, QTimeZone::utc());
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

/// Missing where they have not one and the same.
RunValue targetOf(const std::vector<KnownRun>& runs) {
  static const std::size_t column = *findRunColumn("target");
  const RunValue first = valueAt(runs.front(), column);
  const bool isShared = std::ranges::all_of(runs, [&](const KnownRun& run) { return valueAt(run, column) == first; });
  return isShared ? first : RunValue{};
}

/// Where better has a meaning in the column that is sorted by first, the group whose first run comes first comes first,
/// so that the top of the table is the top of all runs.
std::vector<Group> inOrderOfTheBest(std::vector<Group> groups, const std::vector<SortKey>& sort) {
  if (sort.empty() || columnAt(sort.front().column).better == Better::neither) return groups;
  std::vector<KnownRun> firsts;
  std::unordered_map<std::string, Group*> ofRun;
  for (Group& group : groups) {
    firsts.push_back(sorted(group.runs, sort).front());
    ofRun[firsts.back().row->run.id] = &group;
  }
  std::vector<Group> ordered;
  for (const KnownRun& first : sorted(firsts, sort)) ordered.push_back(std::move(*ofRun.at(first.row->run.id)));
  return ordered;
}

class Arrangement {
 public:
  Arrangement(const TableRequest& request, const RunNames& names, ArrangedRuns& arranged)
      : request_(request), names_(names), arranged_(arranged) {}

  void add(const std::vector<KnownRun>& unsorted) {
    const std::vector<KnownRun> runs = addSorted(unsorted);
    const RunValue best = bestOf(runs, request_.sort);
    for (const KnownRun& run : runs) addRun(run, runs.size() > 1 ? best : RunValue{});
  }

  void add(const Group& group) {
    TableRow head;
    head.key = "group " + group.value;
    head.title = titleOf(group, *request_.group);
    head.first = arranged_.runs.size();
    head.runs = static_cast<int>(group.runs.size());
    head.isClosed = request_.closed.contains(head.key);
    head.best = bestOf(group.runs, request_.sort);
    head.target = targetOf(group.runs);
    const bool open = !head.isClosed;
    arranged_.rows.push_back(std::move(head));
    if (open) return add(group.runs);
    addSorted(group.runs);
  }

 private:
  std::vector<KnownRun> addSorted(const std::vector<KnownRun>& unsorted) {
    std::vector<KnownRun> runs = request_.sort.empty() ? inOrderOfLaunches(unsorted) : sorted(unsorted, request_.sort);
    arranged_.runs.insert(arranged_.runs.end(), runs.begin(), runs.end());
    return runs;
  }

  void addRun(const KnownRun& run, const RunValue& best) {
    TableRow row;
    row.key = "run " + run.row->run.id;
    row.title = run.row->title() + names_.numberOf(*run.row);
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

using Counts = std::unordered_map<std::string, int>;

std::vector<std::pair<std::string, int>> mostFrequentFirst(const Counts& counts) {
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return sorted;
}

/// What the text of the column lists; null where it is no list.
const std::vector<std::string>* partsOf(const KnownRun& run, std::string_view key) {
  if (key == "tag") return &run.row->label.tags;
  return key == "algorithms" ? &run.values->acting : nullptr;
}

ColumnExtent extentOf(const std::vector<KnownRun>& runs, std::size_t column) {
  ColumnExtent extent;
  Counts texts, parts;
  for (const KnownRun& run : runs) {
    const RunValue& value = valueAt(run, column);
    if (!value.text.empty()) ++texts[value.text];
    if (const auto* own = partsOf(run, columnAt(column).key)) {
      for (const std::string& part : *own) ++parts[part];
    }
    if (!value.number || !std::isfinite(*value.number)) continue;
    extent.lowest = extent.numbers == 0 ? *value.number : std::min(extent.lowest, *value.number);
    extent.highest = extent.numbers == 0 ? *value.number : std::max(extent.highest, *value.number);
    ++extent.numbers;
  }
  extent.texts = mostFrequentFirst(texts);
  extent.parts = mostFrequentFirst(parts);
  return extent;
}

}  // namespace

std::vector<bool> differencesOf(const std::vector<KnownRun>& runs) {
  std::vector<bool> differs(runColumns().size());
  for (std::size_t column = 0; column < differs.size() && !runs.empty(); ++column) {
    if (columnAt(column).kind != ColumnKind::setting) continue;
    const RunValue& first = valueAt(runs.front(), column);
    differs[column] = std::ranges::any_of(runs, [&](const KnownRun& run) { return valueAt(run, column) != first; });
  }
  return differs;
}

void arrange(const std::vector<KnownRun>& runs, const TableRequest& request, const RunNames& names,
             ArrangedRuns& arranged) {
  arranged.rows.reserve(runs.size());
  arranged.runs.reserve(runs.size());
  if (!request.sort.empty()) arranged.sortedBy = request.sort.front();
  Arrangement arrangement(request, names, arranged);
  if (!request.group) return arrangement.add(runs);
  for (const Group& group : inOrderOfTheBest(groupsOf(runs, *request.group), request.sort)) arrangement.add(group);
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

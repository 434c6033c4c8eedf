// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "ui/runs/run_model.h"
#include "ui/store/store_snapshot.h"

namespace slipstream::ui {
namespace {

using Kind = RunTreeEntry::Kind;

RunTreeEntry entryOf(const RunRow& row, const RunNames& names) {
  return {.kind = Kind::run, .key = "run " + row.run.id, .title = names.of(row), .row = &row};
}

/// Runs of a launch stay together, the newest launch first.
void sortByLaunch(std::vector<const RunRow*>& rows) {
  std::unordered_map<std::string, std::int64_t> newest;
  const auto launchOf = [](const RunRow* row) { return row->run.group.empty() ? row->run.id : row->run.group; };
  for (const RunRow* row : rows) {
    std::int64_t& time = newest[launchOf(row)];
    time = std::max(time, row->run.createdAt);
  }
  std::vector<std::pair<std::int64_t, const RunRow*>> order;
  order.reserve(rows.size());
  for (const RunRow* row : rows) order.emplace_back(newest[launchOf(row)], row);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = order[i].second;
}

/// Below its variant a run is told by its seed alone, unless somebody gave it a name.
RunTreeEntry seedOf(const RunRow& row, const RunNames& names) {
  RunTreeEntry entry = entryOf(row, names);
  if (row.label.title.empty()) entry.whole = std::exchange(entry.title, names.seedOf(row));
  return entry;
}

/// A variant with one run is that run.
std::vector<RunTreeEntry> bySeeds(const std::string& experiment, const std::vector<const RunRow*>& rows,
                                  const RunNames& names) {
  std::vector<RunTreeEntry> entries;
  std::map<std::string, std::vector<const RunRow*>> variants;
  std::vector<std::string> order;
  for (const RunRow* row : rows) {
    const std::string& variant = row->run.variant.empty() ? row->run.name : row->run.variant;
    std::vector<const RunRow*>& members = variants[variant];
    if (members.empty()) order.push_back(variant);
    members.push_back(row);
  }
  for (const std::string& variant : order) {
    const std::vector<const RunRow*>& members = variants[variant];
    if (members.size() == 1) {
      entries.push_back(entryOf(*members.front(), names));
      continue;
    }
    RunTreeEntry group{.kind = Kind::variant,
                       .key = "variant " + experiment + "/" + variant,
                       .title = QString::fromStdString(variant)};
    for (const RunRow* row : members) group.children.push_back(seedOf(*row, names));
    entries.push_back(std::move(group));
  }
  return entries;
}

struct Experiment {
  std::vector<const RunRow*> rows;
  std::int64_t newest = 0;
};

RunTreeEntry archiveOf(const std::vector<const RunRow*>& rows, const RunNames& names) {
  RunTreeEntry archive{
      .kind = Kind::archive, .key = "archive", .title = QCoreApplication::translate("RunTree", "Archived")};
  for (const RunRow* row : rows) archive.children.push_back(entryOf(*row, names));
  return archive;
}

/// What is to come: the runs of launches under way, then the launches that wait.
std::vector<std::pair<QString, RunTreeEntry>> queueEntries(const std::vector<ComingRun>& coming,
                                                           const std::vector<QueuedLaunch>& queue) {
  std::vector<std::pair<QString, RunTreeEntry>> entries;
  int place = 0;
  for (const ComingRun& run : coming) {
    const QString name = run.name();
    entries.emplace_back(QString::fromStdString(run.experiment),
                         RunTreeEntry{.kind = Kind::queued,
                                      .key = "coming " + run.group + '/' + name.toStdString(),
                                      .title = name,
                                      .place = ++place});
  }
  for (const QueuedLaunch& launch : queue) {
    entries.emplace_back(launch.title, RunTreeEntry{.kind = Kind::queued,
                                                    .key = "queued " + std::to_string(launch.number),
                                                    .title = launch.title,
                                                    .number = launch.number,
                                                    .place = ++place});
  }
  return entries;
}

/// Adds what is queued to the group of its experiment, or to a new group.
void addQueue(std::vector<std::pair<QString, RunTreeEntry>> queue, std::vector<RunTreeEntry>& groups) {
  for (auto& [experiment, entry] : queue) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const RunTreeEntry& group) { return group.title == experiment; });
    if (same != groups.end()) {
      same->children.push_back(std::move(entry));
      continue;
    }
    RunTreeEntry group{.kind = Kind::experiment, .key = "experiment " + experiment.toStdString(), .title = experiment};
    group.children.push_back(std::move(entry));
    groups.insert(groups.begin(), std::move(group));
  }
}

}  // namespace

std::vector<RunTreeEntry> arrangeRuns(const StoreSnapshot& snapshot, const std::vector<ComingRun>& coming,
                                      const std::vector<QueuedLaunch>& queue, RunGrouping grouping,
                                      const std::function<bool(const RunRow&)>& isShown) {
  std::map<std::string, Experiment> experiments;
  std::vector<const RunRow*> archived;
  const RunNames names(snapshot);
  for (const RunRow& row : snapshot.runs) {
    if (!isShown(row)) continue;
    if (row.label.archived) {
      archived.push_back(&row);
      continue;
    }
    Experiment& experiment = experiments[row.run.experimentName];
    experiment.rows.push_back(&row);
    experiment.newest = std::max(experiment.newest, row.run.createdAt);
  }
  std::vector<std::pair<std::int64_t, RunTreeEntry>> dated;
  for (auto& [name, experiment] : experiments) {
    sortByLaunch(experiment.rows);
    RunTreeEntry group{.kind = Kind::experiment, .key = "experiment " + name, .title = QString::fromStdString(name)};
    if (grouping == RunGrouping::seeds) {
      group.children = bySeeds(name, experiment.rows, names);
    } else {
      for (const RunRow* row : experiment.rows) group.children.push_back(entryOf(*row, names));
    }
    dated.emplace_back(experiment.newest, std::move(group));
  }
  std::stable_sort(dated.begin(), dated.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RunTreeEntry> groups;
  for (auto& [date, group] : dated) groups.push_back(std::move(group));
  addQueue(queueEntries(coming, queue), groups);
  if (!archived.empty()) groups.push_back(archiveOf(archived, names));
  return groups;
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shown_runs.h"

#include <algorithm>
#include <set>

#include "engine/analysis/common_end.h"
#include "ui/charts/shown_chart.h"
#include "ui/store/store_snapshot.h"
#include "ui/workspace/shown_rows.h"

namespace slipstream::ui {
namespace {

/// Series of runs that are over change only with another attempt.
std::string versionOf(const RunRecord& run, std::int64_t storeVersion) {
  if (!isTerminal(run.state)) return std::to_string(storeVersion);
  return std::string(nameOf(run.state)) + std::to_string(run.attempt) + "/" + std::to_string(run.endedAt);
}

/// Without what all of them end in: it tells none from another.
std::vector<QString> titlesOf(const std::vector<const RunRow*>& rows) {
  std::vector<std::string> labels;
  for (const RunRow* row : rows) labels.push_back(row->title().toStdString());
  takeCommonEnd(labels);
  std::vector<QString> titles;
  for (const std::string& label : labels) titles.push_back(QString::fromStdString(label));
  return titles;
}

/// As many curves can be told apart by their colours.
constexpr std::size_t fewCurves = 6;

}  // namespace

CurveRun curveRunOf(const RunRecord& run, std::int64_t storeVersion) {
  return {run.id, versionOf(run, storeVersion)};
}

std::vector<ShownRun> shownRuns(Workspace& workspace) {
  const StoreSnapshotPointer snapshot = workspace.store().snapshot();
  const std::vector<const RunRow*> rows = shownRows(workspace.selection(), *snapshot);
  const std::map<std::string, int> slots = slotsOf(rows);
  const bool manySeeds =
      std::any_of(rows.begin(), rows.end(), [&](const RunRow* row) { return row->run.seed != rows.front()->run.seed; });
  const bool manyExperiments = std::any_of(rows.begin(), rows.end(), [&](const RunRow* row) {
    return row->run.experimentName != rows.front()->run.experimentName;
  });
  const RunNames names(*snapshot);  // runs that were asked for twice are counted
  std::vector<ShownRun> shown;
  const std::vector<QString> titles = titlesOf(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RunRow* row = rows[i];
    const RunRecord& run = row->run;
    QString name = titles[i];
    const auto experiment = QString::fromStdString(run.experimentName);
    if (manyExperiments && name != experiment) name = QStringLiteral("%1 · %2").arg(experiment, name);
    const QString seed = chartText(QT_TRANSLATE_NOOP("Chart", "seed %1")).arg(run.seed);
    const QString label = manySeeds ? QStringLiteral("%1 · %2").arg(name, seed) : name;
    shown.push_back({curveRunOf(run, snapshot->version), label + names.markOf(*row), name, slots.at(run.id),
                     !isTerminal(run.state)});
  }
  return shown;
}

bool areManySeeds(const std::vector<ShownRun>& runs) {
  std::set<QString> groups;
  for (const ShownRun& run : runs) groups.insert(run.groupLabel);
  return runs.size() > fewCurves && 2 * groups.size() <= runs.size();
}

}  // namespace slipstream::ui

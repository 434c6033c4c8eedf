// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/record/metric_info.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"
#include "ui/runs/run_glance.h"
#include "ui/widgets/widgets.h"

// What the view of a run at one glance reads and says.
namespace slipstream::ui {
namespace {

constexpr int sketchColumns = 500;

QString stepText(std::int64_t step) {
  return QLocale().toString(static_cast<qlonglong>(step));
}

QString said(const char* text) {
  return QCoreApplication::translate("RunGlance", text);
}

QString checkpointText(const GlanceReading& reading) {
  if (!reading.checkpoint)
    return said(QT_TRANSLATE_NOOP("RunGlance", "It has no checkpoint: resumed, it begins again."));
  return said(QT_TRANSLATE_NOOP("RunGlance", "The checkpoint of step %1 is complete."))
      .arg(stepText(*reading.checkpoint));
}

QString brokenText(const RunSummary& summary) {
  if (!summary.brokenStep) return {};
  const QString name = std::isnan(summary.brokenLoss) ? QStringLiteral("NaN") : QStringLiteral("inf");
  return said(QT_TRANSLATE_NOOP("RunGlance", "The loss is %1 from step %2 on."))
      .arg(name, stepText(*summary.brokenStep));
}

QString progressText(const GlanceReading& reading) {
  const LiveStatus& live = *reading.live;
  QString text =
      said(QT_TRANSLATE_NOOP("RunGlance", "Step %1 of %2.")).arg(stepText(live.steps), stepText(live.totalSteps));
  if (live.secondsLeft) {
    text +=
        QLatin1Char(' ') +
        said(QT_TRANSLATE_NOOP("RunGlance", "%1 left.")).arg(QString::fromStdString(durationText(*live.secondsLeft)));
  }
  return text;
}

QString resultText(const GlanceReading& reading) {
  const RunValues& values = reading.values;
  const RunValue &accuracy = values.at("accuracy"), &loss = values.at("loss");
  if (accuracy.number) {
    return said(QT_TRANSLATE_NOOP("RunGlance", "Accuracy %1 % at step %2"))
        .arg(QLocale().toString(100 * *accuracy.number, 'f', 2), stepText(reading.lastEvaluation));
  }
  if (!loss.number) return said(QT_TRANSLATE_NOOP("RunGlance", "Nothing was evaluated."));
  return said(QT_TRANSLATE_NOOP("RunGlance", "Training loss %1, and nothing was evaluated."))
      .arg(QLocale().toString(*loss.number, 'g', 3));
}

/// The variant of the file that the run is of; everybody's keys where the file has none of this name.
ExperimentScope scopeOf(const Json& root, const RunRecord& run) {
  for (const ExperimentScope& scope : scopesOf(root)) {
    if (scope.kind == ExperimentScope::Kind::variant && scope.name == run.variant) return scope;
  }
  return {};
}

}  // namespace

std::optional<GlanceReading> readGlance(RunStore& store, const std::string& id) {
  const auto run = store.find(id);
  if (!run) return std::nullopt;
  const auto labels = store.labels();
  const auto label = labels.find(run->id);
  GlanceReading reading;
  reading.run = *run;
  reading.values = readRunValues(store, *run, label == labels.end() ? RunLabel{} : label->second);
  reading.summary = summarizeRun(store, *run, sketchColumns);
  if (auto plan = parseRunPlan(run->planText)) reading.plan = std::move(*plan);
  if (isLiving(run->state)) reading.live = liveStatus(store, *run);
  const std::int64_t end = endStepOf(store, *run);
  for (const CheckpointRow& row : store.checkpoints(run->id)) {
    if (row.full && (end == 0 || row.step < end)) reading.checkpoint = row.step;
  }
  std::vector<std::string> damaged;
  const Series accuracy = readIntactSeries(store, run->id, metric::accuracy, damaged);
  if (!accuracy.steps.empty()) {
    reading.lastEvaluation = accuracy.steps.back();
    reading.bestStep = summarize(accuracy, true)->bestStep;
  }
  if (run->attempt > 0) reading.seconds = 1e-9 * static_cast<double>(attemptNanoseconds(store, *run));
  return reading;
}

QString causeOf(const GlanceReading& reading) {
  QString why = QString::fromStdString(reading.run.why);
  QStringList parts;
  switch (reading.run.state) {
    case RunState::done:
      parts << resultText(reading);
      break;
    case RunState::failed:
    case RunState::lost:
      parts << (why.isEmpty() ? said(QT_TRANSLATE_NOOP("RunGlance", "No cause was recorded.")) : why);
      parts << checkpointText(reading);
      break;
    case RunState::stopped:
      if (!why.isEmpty()) why[0] = why[0].toUpper();  // it does not begin with a name
      parts << (why.isEmpty() ? said(QT_TRANSLATE_NOOP("RunGlance", "Somebody stopped it.")) : why);
      parts << checkpointText(reading);
      break;
    case RunState::queued:
    case RunState::preempted:
      parts << (why.isEmpty() ? said(QT_TRANSLATE_NOOP("RunGlance", "It waits for its turn.")) : why);
      break;
    default:
      if (reading.live && reading.live->steps > 0)
        parts << progressText(reading);
      else
        parts << said(QT_TRANSLATE_NOOP("RunGlance", "Its ranks are being started."));
  }
  parts << brokenText(reading.summary);
  parts.removeAll(QString());
  return parts.join(QLatin1Char('\n'));
}

Result<std::string> experimentOf(const RunRecord& run) {
  SLIPSTREAM_TRY(root, parseJson(run.experimentText, "the experiment of run " + run.id));
  Json keys = keysIn(root, scopeOf(root, run));
  if (root.contains("stages")) keys["stages"] = root["stages"];
  keys["name"] = root.value("name", run.experimentName);
  keys["seed"] = run.seed;
  if (const auto plan = parseRunPlan(run.planText); plan && !plan->experiment.parallel.onNamedHosts()) {
    if (!keys.contains("parallel") || !keys["parallel"].is_object()) keys["parallel"] = Json::object();
    keys["parallel"]["ranks"] = run.ranks;
  }
  return keys.dump(2) + "\n";
}

}  // namespace slipstream::ui

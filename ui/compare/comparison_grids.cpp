// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison_grids.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/record/number_format.h"
#include "ui/compare/compare_text.h"
#include "ui/parts/utf8.h"
#include "ui/theme/state_shape.h"

namespace slipstream::ui {
namespace {

CellHead headOf(const Arm& arm, bool number) {
  return {text(arm.label), number, arm.colourSlot};
}

std::vector<Cell> rowOf(const PlanDifference& parameter, bool differs) {
  std::vector<Cell> row{{text(parameter.key), differs ? CellTone::plain : CellTone::second}};
  for (const std::string& value : parameter.values) {
    const bool unlike = differs && value != parameter.values.front();
    const CellTone tone = value.empty() || !differs ? CellTone::second : unlike ? CellTone::strong : CellTone::plain;
    row.push_back({value.empty() ? QStringLiteral("–") : text(value), tone});
  }
  return row;
}

/// "398 (3 of 5)" where the measure counts up to a target.
QString meanOf(double mean, const std::optional<int>& reached, const ComparedMeasure& one) {
  const QString number = text(quantityText(mean, one.measure.quantity));
  if (!reached) return number;
  const QString shown = *reached == 0 ? QStringLiteral("> ") + number : number;
  return compareText(QT_TRANSLATE_NOOP("Compare", "%1 (%2 of %3)")).arg(shown).arg(*reached).arg(one.pairs);
}

/// Both means, their difference with its interval, and the verdict.
void addJudgement(const ComparedMeasure& one, std::vector<Cell>& row) {
  row.push_back({meanOf(one.reference, one.referenceReached, one)});
  row.push_back({meanOf(one.value, one.valueReached, one)});
  row.push_back({text(differenceText(one.difference, one.measure.quantity)), CellTone::strong});
  row.push_back({text(intervalText(one)), CellTone::second});
  Cell picture;
  if (one.low) picture.interval = CellInterval{*one.low, one.difference, *one.high};
  row.push_back(std::move(picture));
  Cell verdict{verdictWord(one)};
  verdict.verdict = one.verdict;
  row.push_back(std::move(verdict));
}

void addJudgementHeads(std::vector<CellHead>& heads) {
  heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "difference")), true});
  heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "95 % interval")), true});
  heads.push_back({QString()});
  heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "verdict"))});
}

CellGrid comparedGrid(const Comparison& comparison, const ComparedArm& compared) {
  CellGrid grid;
  grid.heads = {
      {pairedTitle(compared)}, headOf(comparison.arms.front(), true), headOf(comparison.arms[compared.arm], true)};
  addJudgementHeads(grid.heads);
  for (const ComparedMeasure& one : compared.measures) {
    const bool otherCount = one.pairs != compared.measures.front().pairs;
    const QString name = measureName(one.measure);
    std::vector<Cell> row{{otherCount ? QStringLiteral("%1 (n = %2)").arg(name).arg(one.pairs) : name}};
    addJudgement(one, row);
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

QString stagesTitle(const Arm& arm) {
  return compareText(QT_TRANSLATE_NOOP("Compare", "Stages of %1, paired by run")).arg(text(arm.label));
}

CellGrid comparedStagesGrid(const Comparison& comparison, std::size_t arm) {
  CellGrid grid;
  grid.heads = {{stagesTitle(comparison.arms[arm])},
                {compareText(QT_TRANSLATE_NOOP("Compare", "against"))},
                {compareText(QT_TRANSLATE_NOOP("Compare", "Measure"))},
                {QStringLiteral("n"), true},
                {compareText(QT_TRANSLATE_NOOP("Compare", "mean against")), true},
                {compareText(QT_TRANSLATE_NOOP("Compare", "mean")), true}};
  addJudgementHeads(grid.heads);
  for (const ComparedStages& compared : comparison.comparedStages) {
    if (compared.arm != arm) continue;
    for (const ComparedMeasure& one : compared.measures) {
      std::vector<Cell> row{
          {text(compared.stage)}, {text(compared.reference)}, {measureName(one.measure)}, {QString::number(one.pairs)}};
      addJudgement(one, row);
      grid.rows.push_back(std::move(row));
    }
  }
  return grid;
}

QString noClaimWord(NoClaim why) {
  switch (why) {
    case NoClaim::bestOfMany:
      return compareText(QT_TRANSLATE_NOOP("Compare", "no claim (best of many)"));
    case NoClaim::testSetUnknown:
      return compareText(QT_TRANSLATE_NOOP("Compare", "no claim (error of the test set unknown)"));
    case NoClaim::noSpread:
      return compareText(QT_TRANSLATE_NOOP("Compare", "no claim (no spread)"));
    case NoClaim::fewReplicas:
      break;
  }
  return compareText(QT_TRANSLATE_NOOP("Compare", "no claim (n < 3)"));
}

bool anyStaged(const Comparison& comparison) {
  return std::any_of(comparison.arms.begin(), comparison.arms.end(), [](const Arm& arm) { return arm.staged(); });
}

void addStageRows(const Arm& arm, const RunOutcome& outcome, bool staged, const std::vector<const Measure*>& taken,
                  CellGrid& grid) {
  for (std::size_t i = 0; i < outcome.stages.size(); ++i) {
    const StageOutcome& stage = outcome.stages[i];
    std::vector<Cell> row(4);
    if (i == 0) {
      row[0] = {text(arm.label)};
      row[0].swatch = arm.colourSlot;
      row[1] = {text(outcome.run.id), CellTone::fixed};
      row[2] = {QString::number(outcome.run.seed)};
      row[3] = {stateWord(outcome.run.state)};
    }
    if (staged) row.push_back({text(stage.stage.name)});
    row.push_back({text(countText(stage.steps))});
    for (const Measure* measure : taken) row.push_back({text(outcomeText(stage, *measure))});
    grid.rows.push_back(std::move(row));
  }
}

}  // namespace

QString measureName(const Measure& measure) {
  if (measure.key == "final_loss") {
    return compareText(QT_TRANSLATE_N_NOOP("Compare", "Final loss, mean of %n step(s)"), finalLossSteps);
  }
  static const std::pair<const char*, const char*> names[] = {
      {"accuracy", QT_TRANSLATE_NOOP("Compare", "Test accuracy, %")},
      {"test_loss", QT_TRANSLATE_NOOP("Compare", "Test loss")},
      {"best_accuracy", QT_TRANSLATE_NOOP("Compare", "Best test accuracy, %")},
      {"best_loss", QT_TRANSLATE_NOOP("Compare", "Best loss")},
      {"steps_to_target", QT_TRANSLATE_NOOP("Compare", "Steps to target")},
      {"seconds_to_target", QT_TRANSLATE_NOOP("Compare", "Seconds to target")},
      {"step_milliseconds", QT_TRANSLATE_NOOP("Compare", "Step time, ms")},
      {"training_seconds", QT_TRANSLATE_NOOP("Compare", "Seconds in all")}};
  for (const auto& [key, name] : names) {
    if (measure.key == key) return compareText(name);
  }
  return text(measure.name);
}

QString verdictWord(const ComparedMeasure& measure) {
  switch (measure.verdict) {
    case ComparisonVerdict::better:
      return compareText(QT_TRANSLATE_NOOP("Compare", "better"));
    case ComparisonVerdict::worse:
      return compareText(QT_TRANSLATE_NOOP("Compare", "worse"));
    case ComparisonVerdict::costsMore:
      return compareText(QT_TRANSLATE_NOOP("Compare", "costs more"));
    case ComparisonVerdict::noDifferenceShown:
      return compareText(QT_TRANSLATE_NOOP("Compare", "no difference shown (%1)")).arg(text(detectableText(measure)));
    case ComparisonVerdict::notReached:
      return compareText(QT_TRANSLATE_NOOP("Compare", "no claim (not reached)"));
    case ComparisonVerdict::noClaim:
      break;
  }
  return noClaimWord(measure.why);
}

QString pairedTitle(const ComparedArm& compared) {
  const int pairs = compared.measures.empty() ? 0 : compared.measures.front().pairs;
  if (compared.stage.empty()) return compareText(QT_TRANSLATE_NOOP("Compare", "Paired by seed, n = %1")).arg(pairs);
  return compareText(QT_TRANSLATE_NOOP("Compare", "Stage %1, paired by seed, n = %2"))
      .arg(text(compared.stage))
      .arg(pairs);
}

CellGrid differencesGrid(const Comparison& comparison, bool all) {
  CellGrid grid;
  grid.heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "Parameter that differs"))});
  for (const Arm& arm : comparison.arms) grid.heads.push_back(headOf(arm, false));
  for (const PlanDifference& one : comparison.differences) grid.rows.push_back(rowOf(one, true));
  if (!all) return grid;
  for (const PlanDifference& one : comparison.equals) grid.rows.push_back(rowOf(one, false));
  return grid;
}

std::vector<JudgedGrid> judgedGrids(const Comparison& comparison) {
  std::vector<JudgedGrid> grids;
  for (const ComparedArm& compared : comparison.compared) {
    if (compared.measures.empty()) continue;
    grids.push_back({pairedTitle(compared), comparedGrid(comparison, compared)});
  }
  for (std::size_t arm = 0; arm < comparison.arms.size(); ++arm) {
    CellGrid stages = comparedStagesGrid(comparison, arm);
    if (!stages.rows.empty()) grids.push_back({stagesTitle(comparison.arms[arm]), std::move(stages)});
  }
  return grids;
}

CellGrid outcomesGrid(const Comparison& comparison) {
  const bool staged = anyStaged(comparison);
  const std::vector<const Measure*> taken = measuresTaken(comparison);
  CellGrid grid;
  grid.heads = {{compareText(QT_TRANSLATE_NOOP("Compare", "Run"))},
                {compareText(QT_TRANSLATE_NOOP("Compare", "Id"))},
                {compareText(QT_TRANSLATE_NOOP("Compare", "Seed")), true},
                {compareText(QT_TRANSLATE_NOOP("Compare", "State"))}};
  if (staged) grid.heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "Stage"))});
  grid.heads.push_back({compareText(QT_TRANSLATE_NOOP("Compare", "Steps")), true});
  for (const Measure* measure : taken) grid.heads.push_back({measureName(*measure), true});
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) addStageRows(arm, outcome, staged, taken, grid);
  }
  return grid;
}

}  // namespace slipstream::ui

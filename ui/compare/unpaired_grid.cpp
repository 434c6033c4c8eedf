// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/unpaired_grid.h"

#include <algorithm>

#include "engine/record/number_format.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/comparison_grids.h"
#include "ui/parts/utf8.h"

namespace slipstream::ui {
namespace {

struct ArmMean {
  double mean = 0;
  int runs = 0;
};

ArmMean meanOf(const Arm& arm, const Measure& measure) {
  ArmMean mean;
  for (const RunOutcome& outcome : arm.outcomes) {
    const auto& measured = outcome.stages.back().measured;
    const auto value = measured.find(measure.key);
    if (outcome.run.state != RunState::done || value == measured.end()) continue;
    mean.mean += value->second;
    ++mean.runs;
  }
  if (mean.runs > 0) mean.mean /= mean.runs;
  return mean;
}

Cell cellOf(const ArmMean& mean, Quantity quantity) {
  if (mean.runs == 0) return {QStringLiteral("–"), CellTone::second};
  return {compareText(QT_TRANSLATE_N_NOOP("Compare", "%1 (%n run(s))"), static_cast<std::size_t>(mean.runs))
              .arg(text(quantityText(mean.mean, quantity)))};
}

}  // namespace

std::vector<std::size_t> unpairedVariants(const Comparison& comparison) {
  std::vector<std::size_t> arms;
  for (std::size_t arm = 1; arm < comparison.arms.size(); ++arm) {
    const bool paired =
        std::any_of(comparison.compared.begin(), comparison.compared.end(),
                    [arm](const ComparedArm& compared) { return compared.arm == arm && !compared.measures.empty(); });
    if (!paired) arms.push_back(arm);
  }
  return arms;
}

QString unpairedTitle() {
  return compareText(QT_TRANSLATE_NOOP("Compare", "No seed in common: nothing is paired"));
}

CellGrid unpairedGrid(const Comparison& comparison, std::size_t arm) {
  const Arm& reference = comparison.arms.front();
  const Arm& other = comparison.arms[arm];
  CellGrid grid;
  grid.heads = {{unpairedTitle()},
                {text(reference.label), true, reference.colourSlot},
                {text(other.label), true, other.colourSlot},
                {compareText(QT_TRANSLATE_NOOP("Compare", "difference")), true},
                {compareText(QT_TRANSLATE_NOOP("Compare", "verdict"))}};
  for (const Measure* measure : measuresTaken(comparison)) {
    const ArmMean before = meanOf(reference, *measure);
    const ArmMean after = meanOf(other, *measure);
    const bool both = before.runs > 0 && after.runs > 0;
    grid.rows.push_back({{measureName(*measure)},
                         cellOf(before, measure->quantity),
                         cellOf(after, measure->quantity),
                         {both ? text(differenceText(after.mean - before.mean, measure->quantity)) : QString()},
                         {compareText(QT_TRANSLATE_NOOP("Compare", "no claim (not paired)")), CellTone::second}});
  }
  return grid;
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison_words.h"

#include <algorithm>

#include "ui/compare/compare_text.h"
#include "ui/compare/unpaired_grid.h"
#include "ui/parts/utf8.h"
#include "ui/theme/state_shape.h"

namespace slipstream::ui {
namespace {

void remarkOnStages(const Comparison& comparison, QStringList& remarks) {
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) {
    const bool paired = std::ranges::find(comparison.compared, i, &ComparedArm::arm) != comparison.compared.end();
    if (paired) continue;
    remarks << compareText(
                   QT_TRANSLATE_NOOP("Compare", "%1 and %2 have no stage of one name: nothing of them is paired"))
                   .arg(text(comparison.arms.front().label), text(comparison.arms[i].label));
  }
}

void remarkOnState(const Arm& arm, const RunRecord& run, QStringList& remarks) {
  if (run.state == RunState::done) return;
  const QString state = stateWord(run.state).toLower();
  remarks << (run.why.empty() ? compareText(QT_TRANSLATE_NOOP("Compare", "%1 (%2) is not compared: %3"))
                                    .arg(text(run.id), text(arm.label), state)
                              : compareText(QT_TRANSLATE_NOOP("Compare", "%1 (%2) is not compared: %3, %4"))
                                    .arg(text(run.id), text(arm.label), state, text(run.why)));
}

void remarkOnTarget(const Arm& arm, QStringList& remarks) {
  for (std::size_t stage = 0; stage < arm.outcomes.front().stages.size(); ++stage) {
    const auto never = std::ranges::count_if(arm.outcomes, [&](const RunOutcome& outcome) {
      const StageOutcome& own = outcome.stages.at(stage);
      return outcome.run.state == RunState::done && own.measured.contains("steps_to_target") && !own.reachedTarget;
    });
    if (never == 0) continue;
    const std::size_t all = arm.outcomes.size();
    remarks << (arm.staged()
                    ? compareText(QT_TRANSLATE_N_NOOP("Compare",
                                                      "%1 of %n run(s) of %2 never reached the target of stage "
                                                      "%3 and count with all their steps"),
                                  all)
                          .arg(never)
                          .arg(text(arm.label), text(arm.outcomes.front().stages.at(stage).stage.name))
                    : compareText(QT_TRANSLATE_N_NOOP("Compare",
                                                      "%1 of %n run(s) of %2 never reached the target and count "
                                                      "with all their steps"),
                                  all)
                          .arg(never)
                          .arg(text(arm.label)));
  }
}

void remarkOnIdenticalSeeds(const Comparison& comparison, QStringList& remarks) {
  for (const IdenticalSeeds& identical : comparison.identicalSeeds) {
    QStringList seeds;
    for (const std::uint64_t seed : identical.seeds) seeds << QString::number(seed);
    remarks << compareText(
                   QT_TRANSLATE_NOOP("Compare",
                                     "Seeds %1 of %2 gave the same losses and accuracies bit for bit: they count as "
                                     "one"))
                   .arg(seeds.join(QStringLiteral(", ")), text(comparison.arms[identical.arm].label));
  }
}

/// How the intervals were made.
void remarkOnMethod(const Comparison& comparison, QStringList& remarks) {
  if (comparison.comparisons == 0) return;
  remarks << compareText(
      QT_TRANSLATE_N_NOOP("Compare",
                          "%n interval(s), which hold together with 95 % (Bonferroni). Accuracy and loss on "
                          "the test set have its sampling error added. ± beside “no difference shown”: the "
                          "smallest difference that would have been shown with a probability of 80 %."),
      static_cast<std::size_t>(comparison.comparisons));
}

void remarkOnSeeds(const Comparison& comparison, QStringList& remarks) {
  for (const std::size_t arm : unpairedVariants(comparison)) {
    const bool stages = std::ranges::find(comparison.compared, arm, &ComparedArm::arm) != comparison.compared.end();
    if (!stages) continue;  // said already
    remarks << compareText(QT_TRANSLATE_NOOP("Compare", "%1 and %2 have no seed in common: nothing of them is paired"))
                   .arg(text(comparison.arms.front().label), text(comparison.arms[arm].label));
  }
}

}  // namespace

QStringList remarksOf(const Comparison& comparison) {
  QStringList remarks;
  remarkOnMethod(comparison, remarks);
  remarkOnStages(comparison, remarks);
  remarkOnIdenticalSeeds(comparison, remarks);
  remarkOnSeeds(comparison, remarks);
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) remarkOnState(arm, outcome.run, remarks);
    remarkOnTarget(arm, remarks);
  }
  return remarks;
}

}  // namespace slipstream::ui

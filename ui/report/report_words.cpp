// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_words.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "engine/base/clock.h"
#include "engine/record/number_format.h"
#include "ui/parts/utf8.h"
#include "ui/report/report_text.h"
#include "ui/theme/state_shape.h"

namespace slipstream::ui {
namespace {

QString nameOf(const Arm& arm) {
  return QStringLiteral("<b>%1</b>").arg(text(arm.label).toHtmlEscaped());
}

QString percent(double value) {
  return text(quantityText(value, Quantity::percent));
}

const ComparedMeasure* accuracyOf(const ComparedArm& compared) {
  const auto found = std::ranges::find(compared.measures, "accuracy", [](const auto& one) { return one.measure.key; });
  return found == compared.measures.end() ? nullptr : &*found;
}

/// What is said of an arm and the reference, with the stage before it where there are stages: whole sentences, because
/// other languages order them otherwise.
struct Claim {
  const char* plain;
  const char* ofStage;
};
constexpr Claim noClaim{
    QT_TRANSLATE_N_NOOP("Report",
                        "%1 ends at %2 % test accuracy, %3 at %4 %. %n seed(s) each: an observation, no claim."),
    QT_TRANSLATE_N_NOOP("Report",
                        "In stage %5, %1 ends at %2 % test accuracy, %3 at %4 %. %n seed(s) each: an "
                        "observation, no claim.")};
constexpr Claim noDifference{
    QT_TRANSLATE_N_NOOP("Report",
                        "No difference in test accuracy between %1 and %2 is shown (95 % interval %3 to %4, %n "
                        "paired seed(s))."),
    QT_TRANSLATE_N_NOOP("Report",
                        "In stage %5, no difference in test accuracy between %1 and %2 is shown (95 % interval "
                        "%3 to %4, %n paired seed(s)).")};
constexpr Claim higher{
    QT_TRANSLATE_N_NOOP("Report",
                        "%1 ends <b>%5 points higher</b> in test accuracy than %2 (95 % interval %3 to %4, %n "
                        "paired seed(s))."),
    QT_TRANSLATE_N_NOOP("Report",
                        "In stage %6, %1 ends <b>%5 points higher</b> in test accuracy than %2 (95 % interval "
                        "%3 to %4, %n paired seed(s)).")};
constexpr Claim lower{
    QT_TRANSLATE_N_NOOP("Report",
                        "%1 ends <b>%5 points lower</b> in test accuracy than %2 (95 % interval %3 to %4, %n "
                        "paired seed(s))."),
    QT_TRANSLATE_N_NOOP("Report",
                        "In stage %6, %1 ends <b>%5 points lower</b> in test accuracy than %2 (95 % interval "
                        "%3 to %4, %n paired seed(s)).")};

QString say(const Claim& claim, const ComparedArm& compared, int seeds, QStringList parts) {
  if (!compared.stage.empty()) parts << text(compared.stage).toHtmlEscaped();
  const QString sentence = reportText(compared.stage.empty() ? claim.plain : claim.ofStage, seeds);
  // All at once: names may hold a percent sign.
  if (parts.size() == 4) return sentence.arg(parts[0], parts[1], parts[2], parts[3]);
  if (parts.size() == 5) return sentence.arg(parts[0], parts[1], parts[2], parts[3], parts[4]);
  return sentence.arg(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
}

QString claimOf(const ComparedArm& compared, const ComparedMeasure& one, const Arm& arm, const Arm& reference) {
  if (!one.low) {
    return say(noClaim, compared, one.pairs,
               {nameOf(arm), percent(one.value), nameOf(reference), percent(one.reference)});
  }
  QStringList parts{nameOf(arm), nameOf(reference), text(differenceText(*one.low, Quantity::percent)),
                    text(differenceText(*one.high, Quantity::percent))};
  if (one.verdict == ComparisonVerdict::noDifferenceShown) return say(noDifference, compared, one.pairs, parts);
  parts << percent(std::abs(one.difference));
  return say(one.difference > 0 ? higher : lower, compared, one.pairs, parts);
}

std::optional<QString> measured(const StageOutcome& outcome, const char* key, Quantity quantity) {
  const auto value = outcome.measured.find(key);
  if (value == outcome.measured.end()) return std::nullopt;
  return text(quantityText(value->second, quantity));
}

/// What one run came to.
QString outcomeOf(const Arm& arm, const RunOutcome& outcome) {
  const QString state = stateWord(outcome.run.state).toLower();
  const auto accuracy = measured(outcome.stages.front(), "accuracy", Quantity::percent);
  const auto loss = measured(outcome.stages.front(), "final_loss", Quantity::loss);
  if (outcome.staged || (!accuracy && !loss)) {
    return reportText(QT_TRANSLATE_N_NOOP("Report", "%1 is %2 after %Ln step(s)."), outcome.steps)
        .arg(nameOf(arm), state);
  }
  if (!accuracy) {
    return reportText(QT_TRANSLATE_N_NOOP("Report", "%1 (%2) reached a training loss of %3 after %Ln step(s)."),
                      outcome.steps)
        .arg(nameOf(arm), state, *loss);
  }
  if (!loss) {
    return reportText(QT_TRANSLATE_N_NOOP("Report", "%1 (%2) reached %3 % test accuracy after %Ln step(s)."),
                      outcome.steps)
        .arg(nameOf(arm), state, *accuracy);
  }
  return reportText(QT_TRANSLATE_N_NOOP("Report",
                                        "%1 (%2) reached %3 % test accuracy and a training loss of %4 after %Ln "
                                        "step(s)."),
                    outcome.steps)
      .arg(nameOf(arm), state, *accuracy, *loss);
}

/// "train 97.10 %, dim_reduce 97.42 %": where the stages ended that have.
QString stageEnds(const RunOutcome& outcome) {
  QStringList ends;
  for (const StageOutcome& stage : outcome.stages) {
    const auto accuracy = measured(stage, "accuracy", Quantity::percent);
    if (stage.ended() && accuracy) {
      ends << QStringLiteral("%1 %2 %").arg(text(stage.stage.name).toHtmlEscaped(), *accuracy);
    }
  }
  if (ends.isEmpty()) return {};
  return reportText(QT_TRANSLATE_NOOP("Report", "Test accuracy at the end of each stage: %1."))
      .arg(ends.join(QStringLiteral(", ")));
}

/// Of its first run, where there are several.
QStringList sentencesOf(const Arm& arm) {
  const RunOutcome& outcome = arm.outcomes.front();
  QStringList sentences{outcomeOf(arm, outcome)};
  if (arm.outcomes.size() > 1) {
    sentences << reportText(QT_TRANSLATE_N_NOOP("Report", "It is the first of %n run(s)."), std::ssize(arm.outcomes));
  }
  if (outcome.staged) sentences << stageEnds(outcome);
  return sentences;
}

QString seedsOf(const Comparison& comparison) {
  std::set<std::uint64_t> seeds;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) seeds.insert(outcome.run.seed);
  }
  QStringList list;
  for (const std::uint64_t seed : seeds) list << QString::number(seed);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString reportTitle(const ReportSummary& summary) {
  const std::vector<Arm>& arms = summary.comparison.arms;
  if (arms.size() == 1) return text(arms.front().outcomes.front().run.name);
  QStringList others;
  for (std::size_t i = 1; i < arms.size(); ++i) others << text(arms[i].label);
  QString title = reportText(QT_TRANSLATE_N_NOOP("Report", "%1 against %2 on %n rank(s)"), summary.plan.ranks())
                      .arg(others.join(QStringLiteral(", ")), text(arms.front().label));
  title.front() = title.front().toUpper();
  return title;
}

QString reportLead(const ReportSummary& summary) {
  const Comparison& comparison = summary.comparison;
  QStringList sentences;
  for (const ComparedArm& compared : comparison.compared) {
    const ComparedMeasure* accuracy = accuracyOf(compared);
    if (accuracy == nullptr) continue;
    sentences << claimOf(compared, *accuracy, comparison.arms[compared.arm], comparison.arms.front());
  }
  if (sentences.isEmpty()) {
    for (const Arm& arm : comparison.arms) sentences << sentencesOf(arm);
  }
  return sentences.join(QLatin1Char(' '));
}

std::vector<std::pair<QString, QString>> reportFacts(const ReportSummary& summary) {
  const RunRecord& run = summary.comparison.arms.front().outcomes.front().run;
  const Experiment& experiment = summary.plan.experiment;
  const QString dot = QStringLiteral(" · ");
  const QStringList about{
      text(run.experimentName), text(experiment.network.name), text(experiment.dataset.name),
      reportText(QT_TRANSLATE_N_NOOP("Report", "%Ln training sample(s)"), summary.plan.trainSamples)};
  const QStringList where{reportText(QT_TRANSLATE_N_NOOP("Report", "%n rank(s)"), summary.plan.ranks()),
                          reportText(QT_TRANSLATE_N_NOOP("Report", "%n thread(s) a rank"), summary.plan.threadsPerRank),
                          text(run.device)};
  return {{reportText(QT_TRANSLATE_NOOP("Report", "Experiment")), about.join(dot)},
          {reportText(QT_TRANSLATE_NOOP("Report", "Ranks")), where.join(dot)},
          {reportText(QT_TRANSLATE_NOOP("Report", "Seeds")), seedsOf(summary.comparison)},
          {reportText(QT_TRANSLATE_NOOP("Report", "Source")),
           run.sourceRevision.empty() ? reportText(QT_TRANSLATE_NOOP("Report", "unknown")) : text(run.sourceRevision)},
          {reportText(QT_TRANSLATE_NOOP("Report", "Created (UTC)")), text(wallText(run.createdAt))}};
}

}  // namespace slipstream::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/report/compared_accuracy.h"
#include "engine/report/report_sections.h"
#include "engine/report/stage_text.h"
#include "engine/runs/run_selection.h"

namespace slipstream {
namespace {

Text nameOf(const Variant& variant) {
  return strong(variant.shownLabel());
}

/// Whoever reads no further is to know that no time here is a device's.
Text deviceText(const std::string& device) {
  return isEmulated(device) ? phrase("{} (emulated: its times say nothing about the device)", {device}) : Text(device);
}

std::string percent(double value) {
  return quantityText(value, Quantity::percent);
}

/// "ends 1.32 points higher in test accuracy than mean (95 % interval 1.15 to 1.49, 5 paired seeds)"
Text accuracyClaim(const ComparedMeasure& one, const Variant& variant, const Variant& reference) {
  if (one.verdict == ComparisonVerdict::noClaim) {
    const Text seeds = one.pairs == 1 ? phrase("One seed each") : phrase("{} each", {countedText(one.pairs, "seed")});
    return phrase(
        "{} ends at {} % test accuracy, {} at {} %. {}: an observation, {}.",
        {nameOf(variant), percent(one.value), nameOf(reference), percent(one.reference), seeds, verdictText(one)});
  }
  const auto intervalOf = [&](const std::string& from, const std::string& to) {
    return phrase("95 % interval {} to {}, {}", {from, to, countedText(one.pairs, "paired seed")});
  };
  if (one.verdict == ComparisonVerdict::noDifferenceShown) {
    return phrase(
        "{} ({}; a difference of {} points would have been detected).",
        {strong(phrase("no difference in test accuracy between {} and {} is shown",
                       {variant.shownLabel(), reference.shownLabel()})),
         intervalOf(differenceText(*one.low, Quantity::percent), differenceText(*one.high, Quantity::percent)),
         one.detectable ? quantityText(*one.detectable, Quantity::percent) : ""});
  }
  const bool isHigher = one.difference > 0;  // and so is all of its interval: "higher" is its sign
  const double nearest = isHigher ? *one.low : *one.high, farthest = isHigher ? *one.high : *one.low;
  const Text points =
      phrase(isHigher ? message("{} points higher") : message("{} points lower"), {percent(std::abs(one.difference))});
  return phrase(
      "{} ({}).",
      {strong(phrase("{} ends {} in test accuracy than {}", {variant.shownLabel(), points, reference.shownLabel()})),
       intervalOf(percent(std::abs(nearest)), percent(std::abs(farthest)))});
}

/// Keeps a number and its unit on one line (U+00A0).
const std::string noBreak = "\u00a0";

/// "Also shown: steps to 80 %, lower by 166.7 (74.3 to 259.0, better); ..."; empty where none differs. The accuracy has
/// a sentence.
Text otherDifferences(const Comparison& comparison, const ComparedVariant& compared) {
  std::vector<Text> parts;
  for (const ComparedMeasure& one : compared.measures) {
    const bool isOther = one.measure.key != measure::accuracy && one.measure.key != measure::testLoss;
    if (!isOther || !isDifference(one.verdict)) continue;
    const std::string unit = one.measure.unit.empty() ? "" : noBreak + one.measure.unit;
    const auto size = [&](double value) { return quantityText(std::abs(value), one.measure.quantity); };
    const bool isLower = one.difference < 0;  // and so is all of its interval
    if (one.isReferenceBound() || one.isValueBound()) {
      const Text change =
          phrase(isLower ? message("{}, lower by at least {}{}") : message("{}, higher by at least {}{}"),
                 {uncapitalized(titleOf(comparison, one.measure)), size(isLower ? *one.high : *one.low), unit});
      parts.push_back(phrase("{} ({})", {change, verdictText(one)}));
      continue;
    }
    const Text change = phrase(isLower ? message("{}, lower by {}{}") : message("{}, higher by {}{}"),
                               {uncapitalized(titleOf(comparison, one.measure)), size(one.difference), unit});
    parts.push_back(phrase("{} ({} to {}, {})", {change, size(isLower ? *one.high : *one.low),
                                                 size(isLower ? *one.low : *one.high), verdictText(one)}));
  }
  if (parts.empty()) return {};
  return phrase("Also shown: {}.", {joined(std::move(parts), "; ")});
}

/// Of its accuracy, then of everything else.
std::vector<Text> claimsOf(const Comparison& comparison, const ComparedAccuracy& one) {
  const auto& [compared, accuracy] = one;
  Text claim = accuracyClaim(*accuracy, comparison.variants[compared->variant], comparison.variants.front());
  if (!compared->stage.empty()) claim = phrase("In stage {}, {}", {compared->stage, claim});
  std::vector<Text> sentences{capitalized(claim)};
  if (Text others = otherDifferences(comparison, *compared); !others.empty()) sentences.push_back(std::move(others));
  return sentences;
}

/// Sentences about the variants and stages: what is shown, then what was changed.
std::vector<Text> claimsOf(const Comparison& comparison, const std::vector<ComparedAccuracy>& accuracies) {
  std::vector<Text> sentences;
  std::set<std::size_t> named;
  for (const ComparedAccuracy& one : accuracies) {
    const ComparedVariant* compared = one.compared;
    std::ranges::move(claimsOf(comparison, one), std::back_inserter(sentences));
    if (named.insert(compared->variant).second) {
      sentences.push_back(capitalized(changesSentence(comparison, compared->variant)));
    }
  }
  return sentences;
}

constexpr std::size_t mostNamedClaims = 3;  ///< beside an overview of all

Text countsSentence(const Comparison& comparison, const std::vector<ComparedAccuracy>& accuracies) {
  std::vector<Text> parts;
  const auto add = [&](ComparisonVerdict verdict, const char* words) {
    const auto count = std::ranges::count(accuracies, verdict, [](const auto& one) { return one.accuracy->verdict; });
    if (count > 0) parts.push_back(phrase(words, {std::to_string(count)}));
  };
  add(ComparisonVerdict::better, message("{} better"));
  add(ComparisonVerdict::worse, message("{} worse"));
  add(ComparisonVerdict::noDifferenceShown, message("{} without a difference shown"));
  add(ComparisonVerdict::noClaim, message("{} without a claim"));
  return phrase("Of {} of test accuracy with {}: {}.",
                {countedText(std::ssize(accuracies), "comparison"), nameOf(comparison.variants.front()),
                 joined(std::move(parts), ", ")});
}

/// How many there are of each kind, then the largest differences that are shown.
std::vector<Text> summarizedClaims(const Comparison& comparison, std::vector<ComparedAccuracy> accuracies) {
  std::vector<Text> sentences{countsSentence(comparison, accuracies)};
  std::erase_if(accuracies, [](const ComparedAccuracy& one) { return !isDifference(one.accuracy->verdict); });
  std::ranges::stable_sort(accuracies, std::greater{},
                           [](const ComparedAccuracy& one) { return std::abs(one.accuracy->difference); });
  accuracies.resize(std::min(accuracies.size(), mostNamedClaims));
  for (const auto& [compared, accuracy] : accuracies) {
    sentences.push_back(
        capitalized(accuracyClaim(*accuracy, comparison.variants[compared->variant], comparison.variants.front())));
  }
  return sentences;
}

/// "98.10 % test accuracy and a training loss of 0.0612"; nothing where neither was measured.
Text resultText(const StageOutcome& outcome, std::int64_t steps) {
  Text accuracy, loss;
  if (const auto value = outcome.value(measure::accuracy)) {
    accuracy = phrase("{} % test accuracy", {percent(*value)});
  }
  if (const auto value = outcome.value(measure::finalLoss)) {
    const auto averaged = std::min(static_cast<std::int64_t>(finalLossSteps), steps);
    loss = phrase("a training loss of {} (mean of {})",
                  {quantityText(*value, Quantity::loss), countedText(averaged, "step")});
  }
  if (accuracy.empty() || loss.empty()) return accuracy.empty() ? loss : accuracy;
  return phrase("{} and {}", {accuracy, loss});
}

/// "train 97.10 %, dim_reduce 97.42 %": where the stages ended that have.
Text stagesSentence(const RunOutcome& outcome) {
  std::vector<Text> ends;
  for (const StageOutcome& stage : outcome.stages) {
    const auto accuracy = stage.value(measure::accuracy);
    if (!stage.ended() || !accuracy) continue;
    ends.emplace_back(stage.stage.name + " " + percent(*accuracy) + " %");
  }
  return ends.empty() ? Text() : phrase("Test accuracy at the end of each stage: {}.", {joined(std::move(ends), ", ")});
}

/// What a variant alone came to; of its first run, where there are several.
Text variantSentence(const Variant& variant) {
  const RunOutcome& outcome = variant.outcomes.front();
  const Text state = stateText(outcome.run.state);
  const Text steps = countedText(outcome.steps, "step");
  const Text result = outcome.staged ? Text() : resultText(outcome.stages.front(), outcome.steps);
  const Text where = variant.imported() ? Text() : countedText(outcome.run.ranks, "rank");
  std::vector<Text> sentences{
      result.empty()  ? phrase("{} is {} after {}.", {nameOf(variant), state, steps})
      : where.empty() ? phrase("{} (imported) reached {} after {}.", {nameOf(variant), result, steps})
                      : phrase("{} ({}) reached {} after {} on {}.", {nameOf(variant), state, result, steps, where})};
  if (variant.outcomes.size() > 1) {
    sentences.push_back(phrase("It is the first of {} runs.", {std::to_string(variant.outcomes.size())}));
  }
  if (outcome.staged) sentences.push_back(stagesSentence(outcome));
  return joined(std::move(sentences), " ");
}

/// "1 to 6", or one after the other where some are missing between them.
Text seedsOf(const Comparison& comparison) {
  std::set<std::uint64_t> seeds;
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) seeds.insert(outcome.run.seed);
  }
  const bool isRange = seeds.size() > 2 && *seeds.rbegin() - *seeds.begin() + 1 == seeds.size();
  if (isRange) return phrase("{} to {}", {std::to_string(*seeds.begin()), std::to_string(*seeds.rbegin())});
  return fmt::format("{}", fmt::join(seeds, ", "));
}

/// The mean over runs, and from the lowest to the highest where there are several.
void addValues(const std::vector<double>& values, Quantity quantity, std::vector<Cell>& row) {
  row.resize(row.size() + 2);
  if (values.empty()) return;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto [low, high] = std::ranges::minmax(values);
  row[row.size() - 2] = {.text = quantityText(mean, quantity), .number = mean};
  if (values.size() > 1) row.back().text = quantityText(low, quantity) + " … " + quantityText(high, quantity);
}

/// What a measure came to at the end of the stage, in the runs that reached it.
std::vector<double> valuesAtEnd(const Variant& variant, std::size_t stage, const std::string& measure) {
  std::vector<double> values;
  for (const RunOutcome& outcome : variant.outcomes) {
    const StageOutcome& own = outcome.stages.at(stage);
    const auto value = own.value(measure);
    if (own.ended() && value) values.push_back(*value);
  }
  return values;
}

Table stageTable(const Variant& variant) {
  const Text spread = phrase("lowest … highest");
  Table table{.caption = phrase("Stages of {}, judged on the whole evaluation set at their ends; means over the runs "
                                "that reached them.",
                                {variant.label}),
              .columns = {{.title = phrase("Stage")},
                          {.title = phrase("starts from")},
                          {.title = phrase("updates"), .number = true},
                          {.title = phrase("Test accuracy, %"), .number = true},
                          {.title = spread, .number = true},
                          {.title = phrase("Test loss"), .number = true},
                          {.title = spread, .number = true},
                          {.title = phrase("runs"), .number = true}}};
  for (std::size_t i = 0; i < variant.outcomes.front().stages.size(); ++i) {
    const StagePlan& stage = variant.outcomes.front().stages[i].stage;
    const std::vector<double> accuracies = valuesAtEnd(variant, i, measure::accuracy);
    std::vector<Cell> row{{.text = stage.name}, {.text = startText(stage)}, {.text = countText(stage.updates())}};
    addValues(accuracies, Quantity::percent, row);
    addValues(valuesAtEnd(variant, i, measure::testLoss), Quantity::loss, row);
    row.push_back(
        {.text = phrase("{} of {}", {std::to_string(accuracies.size()), std::to_string(variant.outcomes.size())})});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Heading headingOf(const Variant& variant) {
  return {3, variant.label, variant.colourSlot};
}

Text networkText(const RunPlan& plan) {
  if (isImported(plan.experiment)) return phrase("imported");
  return phrase("{} on {}, {}", {plan.experiment.network.name, plan.experiment.dataset.name,
                                 countedText(plan.trainSamples, "training sample")});
}

Text ranksText(const RunPlan& plan) {
  if (isImported(plan.experiment)) return phrase("unknown");
  return phrase("{}, {} a rank", {countedText(plan.ranks(), "rank"), countedText(plan.threadsPerRank, "thread")});
}

namespace {

/// `revision` as the build writes it: "d16209407452", with "-changed" behind it where files differed from the commit.
Text sourceText(const std::string& revision) {
  constexpr std::string_view changed = "-changed";
  if (revision.empty()) return phrase("unknown");
  if (!revision.ends_with(changed)) return revision;
  return phrase("{}, with changes", {revision.substr(0, revision.size() - changed.size())});
}

}  // namespace

std::vector<Text> conclusionsOf(const Comparison& comparison) {
  const std::vector<ComparedAccuracy> accuracies = comparedAccuracies(comparison);
  if (overviewTable(comparison)) return summarizedClaims(comparison, accuracies);
  std::vector<Text> sentences;
  for (const ComparedAccuracy& one : accuracies) {
    std::ranges::move(claimsOf(comparison, one), std::back_inserter(sentences));
  }
  if (!accuracies.empty()) return sentences;
  for (const ComparedVariant& compared : comparison.compared) {
    if (Text others = otherDifferences(comparison, compared); !others.empty()) sentences.push_back(std::move(others));
  }
  return sentences;
}

void addHeader(const ReportInput& input, ReportDocument& document) {
  const Comparison& comparison = input.comparison;
  document.add(Heading{1, titleOf(comparison)});
  const std::vector<ComparedAccuracy> accuracies = comparedAccuracies(comparison);
  std::optional<Table> overview = overviewTable(comparison);
  std::vector<Text> sentences = overview ? summarizedClaims(comparison, accuracies) : claimsOf(comparison, accuracies);
  if (sentences.empty()) {
    for (const Variant& variant : comparison.variants) sentences.push_back(variantSentence(variant));
  }
  const RunPlan& first = input.plans.front();
  if (comparison.variants.size() == 1 && !isImported(first.experiment)) {
    const std::string acting = algorithmsText(algorithmsOf(first));
    sentences.push_back(acting.empty() ? phrase("No acceleration algorithm was on.")
                                       : phrase("Algorithms: {}.", {acting}));
  }
  document.add(Paragraph{joined(std::move(sentences), " "), Paragraph::Role::lead});
  const RunRecord& run = comparison.variants.front().outcomes.front().run;
  document.add(KeyValues{{{phrase("Experiment"), joined({run.experimentName, networkText(first)}, " · ")},
                          {phrase("Ranks"), joined({ranksText(first), deviceText(run.device)}, ", ")},
                          {phrase("Seeds"), seedsOf(comparison)},
                          {phrase("Source commit"), sourceText(run.sourceRevision)},
                          {phrase("Created (UTC)"), wallText(run.createdAt)}}});
  if (overview) document.add(std::move(*overview));
}

void addStages(const ReportInput& input, ReportDocument& document) {
  const std::vector<Variant>& variants = input.comparison.variants;
  if (std::ranges::none_of(variants, &Variant::staged)) return;
  document.add(Heading{2, phrase("Stages")});
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (!variants[i].staged()) continue;
    document.add(headingOf(variants[i]));
    document.add(stageTable(variants[i]));
    if (auto table = comparedStagesTable(input.comparison, i)) document.add(std::move(*table));
  }
}

void addResults(const ReportInput& input, ReportDocument& document) {
  document.add(Heading{2, phrase("Results")});
  for (Table& table : comparedTables(input.comparison)) document.add(std::move(table));
  document.add(Heading{3, phrase("Runs")});
  document.add(outcomesTable(input.comparison));
}

void addCommands(const ReportInput& input, ReportDocument& document) {
  std::set<std::string> seen;
  for (const Variant& variant : input.comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) {
      const bool hasCommand = !outcome.run.commandText.empty();  // what was imported has none
      if (hasCommand && seen.insert(outcome.run.commandText).second)
        document.add(Listing{outcome.run.commandText, true});
    }
  }
}

}  // namespace slipstream

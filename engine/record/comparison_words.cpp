// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison says, in the words that text, CSV, JSON, HTML and LaTeX share.
#include <array>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/comparison.h"

namespace slipstream {
namespace {

std::string withReached(std::string mean, const std::optional<int>& reached, int pairs) {
  if (!reached) return mean;
  // Where nobody arrived the mean is of steps that were not enough.
  return fmt::format("{}{} ({} of {})", *reached == 0 ? "> " : "", mean, *reached, pairs);
}

}  // namespace

std::string_view wordOf(ComparisonVerdict verdict) {
  constexpr std::array<std::string_view, 6> words{
      "better", "worse", "costs more", "no difference shown", "no claim", "no claim (not reached)"};
  return words.at(static_cast<std::size_t>(verdict));
}

std::string verdictText(const ComparedMeasure& measure) {
  if (measure.verdict != ComparisonVerdict::noClaim) return std::string(wordOf(measure.verdict));
  constexpr std::array<std::string_view, 4> reasons{"n < 3", "best of many", "error of the test set unknown",
                                                    "no spread"};
  return fmt::format("no claim ({})", reasons.at(static_cast<std::size_t>(measure.why)));
}

std::string intervalText(const ComparedMeasure& measure) {
  if (!measure.low) return "";
  return differenceText(*measure.low, measure.measure.quantity) + " … " +
         differenceText(*measure.high, measure.measure.quantity);
}

std::string detectableText(const ComparedMeasure& measure) {
  if (measure.verdict != ComparisonVerdict::noDifferenceShown || !measure.detectable) return "";
  return "±" + quantityText(*measure.detectable, measure.measure.quantity);
}

std::string referenceText(const ComparedMeasure& measure) {
  return withReached(quantityText(measure.reference, measure.measure.quantity), measure.referenceReached,
                     measure.pairs);
}

std::string valueText(const ComparedMeasure& measure) {
  return withReached(quantityText(measure.value, measure.measure.quantity), measure.valueReached, measure.pairs);
}

bool hasTarget(const Measure& measure) {
  return measure.key.ends_with("_to_target");
}

bool neverReached(const StageOutcome& outcome, const Measure& measure) {
  return hasTarget(measure) && !outcome.reachedTarget;
}

std::string outcomeText(const StageOutcome& outcome, const Measure& measure) {
  const auto value = outcome.measured.find(measure.key);
  if (value == outcome.measured.end()) return {};
  return (neverReached(outcome, measure) ? "> " : "") + quantityText(value->second, measure.quantity);
}

std::string ComparedArm::title() const {
  const int pairs = measures.empty() ? 0 : measures.front().pairs;
  return fmt::format("{}paired by seed, n = {}", stage.empty() ? "" : "stage " + stage + ", ", pairs);
}

std::string ComparedArm::nameOf(const ComparedMeasure& measure) const {
  if (measure.pairs == measures.front().pairs) return measure.measure.name;
  return fmt::format("{} (n = {})", measure.measure.name, measure.pairs);
}

std::string methodText(const Comparison& comparison) {
  if (comparison.comparisons == 0) return {};
  std::string text =
      comparison.comparisons == 1
          ? "The interval is one of 95 %"
          : fmt::format("All {} intervals hold together with 95 %: each of them is one of {:.4g} % (Bonferroni)",
                        comparison.comparisons, 100 - 5.0 / comparison.comparisons);
  return text +
         ", by Student's t over the replicas; accuracy and loss on the test set have its sampling error added. Beside "
         "“no difference shown” stands the smallest difference that would have been shown with a probability of 80 %. "
         "The best of many values is not judged.";
}

}  // namespace slipstream

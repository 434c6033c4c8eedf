// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of a verdict must know beside it.
#include <algorithm>
#include <set>

#include "engine/study_results/study_runs.h"

namespace slipstream {
namespace {

class Remarks {
 public:
  Remarks(StudyVerdict& verdict, const StudyRuns& runs) : verdict_(verdict), runs_(runs) {}

  void add() {
    addBadges();
    addRemarks();
  }

 private:
  void addBadges() {
    const Study& study = verdict_.study;
    if (study.control > 0) {
      verdict_.badges.push_back(phrase("control: the reference against itself"));
      return;
    }
    if (!study.question.stages.empty()) return;
    std::set<std::int64_t> trials;
    for (const StudyVariant& variant : study.variants) trials.insert(study.trialsOf(variant.name));
    const bool others = std::ranges::any_of(study.variants, [&](const StudyVariant& variant) {
      return variant.name != study.reference && study.trialsOf(variant.name) > 0;
    });
    if (trials == std::set<std::int64_t>{0}) {
      verdict_.badges.push_back(phrase("no variant was tuned"));
    } else if (!others) {
      verdict_.badges.push_back(
          phrase("tuned for the reference only: {} got {}", {study.reference, countedText(*trials.rbegin(), "trial")}));
    } else if (trials.size() > 1) {
      std::vector<Text> untuned;
      for (const StudyVariant& variant : study.variants) {
        if (study.trialsOf(variant.name) == 0) untuned.push_back(inSentence(variant.name));
      }
      verdict_.badges.push_back(phrase("untuned: {}", {joined(std::move(untuned), ", ")}));
    }
  }

  void addRemarks() {
    addUnfinished();
    addUnequal();
    for (const CellResult& cell : runs_.cells()) {
      if (cell.cell.trial > 0) continue;
      if (cell.end == CellEnd::failed) {
        verdict_.losses.push_back(phrase(
            "{} with seed {} failed: {}",
            {cell.cell.variant, std::to_string(cell.cell.seed), cell.run.why.empty() ? cell.cell.why : cell.run.why}));
      }
      if (cell.end == CellEnd::deleted) {
        verdict_.losses.push_back(phrase("run {} of {} with seed {} was deleted",
                                         {cell.cell.run, cell.cell.variant, std::to_string(cell.cell.seed)}));
      }
    }
  }

  void addUnfinished() {
    if (verdict_.finished == verdict_.cells) return;
    verdict_.remarks.push_back(phrase("{} of {} are done: only complete rounds of seeds are judged",
                                      {std::to_string(verdict_.finished), countedText(verdict_.cells, "cell")}));
  }

  /// What is not alike, and how much of it two variants are given at each combination of factors.
  using UnequalKinds = std::vector<std::pair<const char*, std::vector<Text>>>;

  static void addTo(UnequalKinds& kinds, const Unequal& unequal) {
    auto known = std::ranges::find(kinds, std::string_view(unequal.what), [](const auto& kind) { return kind.first; });
    if (known == kinds.end()) known = kinds.insert(known, {unequal.what, {}});
    const bool isKnown =
        std::ranges::any_of(known->second, [&](const Text& values) { return values.in() == unequal.values.in(); });
    if (!isKnown) known->second.push_back(unequal.values);
  }

  void addUnequal() {
    const Study& study = verdict_.study;
    for (const StudyVariant& variant : study.variants) {
      UnequalKinds all;
      for (const StudySettings& factors : combinationsOf(study)) {
        const auto reference = runs_.measured(study.reference, storedForm(factors));
        const auto other = runs_.measured(variant.name, storedForm(factors));
        if (reference.empty() || other.empty()) continue;
        const CellResult& one = *reference.begin()->second;
        const CellResult& two = *other.begin()->second;
        if (!one.outcome || !two.outcome) continue;
        for (const Unequal& unequal : unequalBetween(one.plan, two.plan)) addTo(all, unequal);
      }
      if (all.empty()) continue;
      std::vector<Text> parts;
      for (const auto& [what, values] : all) parts.push_back(phrase("{} ({})", {phrase(what), joined(values, ", ")}));
      verdict_.remarks.push_back(
          phrase("{} and {} are not given alike: {}", {study.reference, variant.name, joined(std::move(parts), ", ")}));
    }
  }

  StudyVerdict& verdict_;
  const StudyRuns& runs_;
};

}  // namespace

void remarkOn(StudyVerdict& verdict, const StudyRuns& runs) {
  Remarks(verdict, runs).add();
}

}  // namespace slipstream

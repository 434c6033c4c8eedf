// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "engine/report/report_sections.h"
#include "engine/store/study_table.h"

namespace slipstream {
namespace {

std::vector<const RunRecord*> runsOf(const Comparison& comparison) {
  std::vector<const RunRecord*> runs;
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) runs.push_back(&outcome.run);
  }
  return runs;
}

/// The study that trained all of the runs.
std::optional<StudyRecord> studyOfAll(RunStore& store, const std::vector<const RunRecord*>& runs) {
  for (const StudyRecord& study : store.studies().all()) {
    std::set<std::string> own;
    for (const StudyCell& cell : store.studies().cells(study.number)) own.insert(cell.run);
    if (std::ranges::all_of(runs, [&](const RunRecord* run) { return own.contains(run->id); })) return study;
  }
  return std::nullopt;
}

Text originText(RunStore& store, const std::vector<const RunRecord*>& runs) {
  if (const auto study = studyOfAll(store, runs)) {
    return phrase(
        "The runs are cells of the study {}, whose question was frozen before the first of them ({}). What it has "
        "shown "
        "is said by its own report; here, these of its runs are described.",
        {study->name, study->frozenHash.substr(0, 16)});
  }
  return phrase(
      "Nothing was frozen before these runs: they were chosen for this report after they were made, which explores and "
      "confirms nothing.");
}

Text pairsText(const Comparison& comparison) {
  if (comparison.variants.size() < 2) return {};
  return phrase(
      "Runs that differ in nothing but their seed are one variant. Each variant is held against {} by the seeds that "
      "both have finished, one difference a seed; seeds that gave the same bits count once.",
      {comparison.variants.front().label});
}

/// Nothing is dropped without a word.
Text statesText(const std::vector<const RunRecord*>& runs) {
  const auto count = [&](RunState state) {
    return std::ranges::count_if(runs, [&](const RunRecord* run) { return run->state == state; });
  };
  const auto done = count(RunState::done), failed = count(RunState::failed);
  return phrase("Of {}: {} done, {} failed, {} stopped, lost or not over.",
                {countedText(std::ssize(runs), "run"), std::to_string(done), std::to_string(failed),
                 std::to_string(std::ssize(runs) - done - failed)});
}

}  // namespace

void addMethod(const ReportInput& input, ReportDocument& document) {
  const Comparison& comparison = input.comparison;
  const std::vector<const RunRecord*> runs = runsOf(comparison);
  document.add(Heading{2, phrase("Method")});
  document.add(Paragraph{joined({originText(input.store, runs), pairsText(comparison)}, " ")});
  Text tests = methodText(comparison);
  if (tests.empty()) {
    tests = comparison.variants.size() < 2
                ? phrase("Nothing is compared: one variant is described.")
                : phrase("No interval is given and nothing is claimed: fewer than three seeds are paired.");
  }
  document.add(Paragraph{std::move(tests)});
  std::vector<Text> left = remarksOn(comparison);
  std::vector<Text> sentences{statesText(runs)};
  if (left.empty()) sentences.push_back(phrase("No run was left out."));
  document.add(Paragraph{joined(std::move(sentences), " ")});
  for (Text& remark : left) document.add(Paragraph{std::move(remark), Paragraph::Role::remark});
}

}  // namespace slipstream

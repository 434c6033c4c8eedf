// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {

std::string whereText(const StudyComparison& one) {
  const std::string factors = textOf(one.factors);
  if (one.inVariant.empty()) return factors;
  return factors.empty() ? one.inVariant : one.inVariant + ", " + factors;
}

namespace {

/// A difference in its unit, a ratio as a change in percent: a time of 0.69 times the reference's is −31.0 %.
std::string effectText(const StudyComparison& one, double effect) {
  if (!one.measure.ratio) return differenceText(effect, one.measure.quantity);
  const double percent = 100 * (effect - 1);
  return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::abs(percent));
}

/// "98.94 ± 0.05"; of what counts up to a target, how many reached it.
std::string meanText(const StudyComparison& one, double mean, double spread, int reached) {
  if (one.pairs == 0) return "–";
  std::string text = quantityText(mean, one.measure.quantity);
  if (one.pairs > 1) text += " ± " + quantityText(spread, one.measure.quantity);
  return one.measure.countsToTarget ? fmt::format("{} ({}/{})", text, reached, one.pairs) : text;
}

std::string intervalText(const StudyComparison& one) {
  return one.low ? effectText(one, *one.low) + " … " + effectText(one, *one.high) : "";
}

std::string marginText(const StudyComparison& one, const Study& study) {
  const double margin = study.question.margin.value_or(0);
  if (one.measure.ratio) return fmt::format("{:.3g} %", 100 * margin);
  return one.measure.quantity == Quantity::percent ? fmt::format("{:.3g}", 100 * margin)
                                                   : fmt::format("{:.3g}", margin);
}

Tone toneOf(StudyVerdictKind verdict) {
  switch (verdict) {
    case StudyVerdictKind::better:
      return Tone::good;
    case StudyVerdictKind::worse:
      return Tone::bad;
    case StudyVerdictKind::same:
      return Tone::strong;
    default:
      return Tone::quiet;
  }
}

Sign signOf(StudyVerdictKind verdict) {
  constexpr std::array signs{Sign::better, Sign::worse, Sign::same, Sign::notShown, Sign::notComparable, Sign::invalid};
  return signs.at(static_cast<std::size_t>(verdict));
}

Cell verdictCell(const StudyComparison& one, const Study& study) {
  Cell said{.text = verdictText(one, study), .tone = toneOf(one.verdict), .sign = signOf(one.verdict)};
  if (one.verdict == StudyVerdictKind::notShown && one.detectable) {
    said.note = "±" + (one.measure.ratio ? fmt::format("{:.1f} %", 100 * (*one.detectable - 1))
                                         : quantityText(*one.detectable, one.measure.quantity));
  }
  return said;
}

/// Rows of comparisons, without the columns that would say the same in each row or nothing.
class ComparisonTable {
 public:
  ComparisonTable(std::vector<const StudyComparison*> rows, const Study& study)
      : rows_(std::move(rows)), isStaged_(!study.question.stages.empty()) {
    for (const StudyComparison* one : rows_) {
      hasMany_ = hasMany_ || one->measure.key != rows_.front()->measure.key;
      isPlaced_ = isPlaced_ || !whereText(*one).empty();
      isTuned_ = isTuned_ || one->trials > 0 || one->referenceTrials > 0;
    }
  }

  Table withVerdicts(const Study& study) const {
    Table table = begun();
    table.columns.push_back({.title = phrase("verdict"), .noteTitle = phrase("detectable")});
    if (isTuned_) table.columns.push_back({.title = phrase("trials"), .number = true});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const StudyComparison& one = *rows_[i];
      table.rows[i].push_back(verdictCell(one, study));
      if (isTuned_) table.rows[i].push_back({.text = fmt::format("{} / {}", one.referenceTrials, one.trials)});
    }
    return table;
  }

  /// In place of a verdict the reason why there is no interval.
  Table withoutVerdicts() const {
    Table table = begun();
    const bool explained = std::ranges::any_of(rows_, [](const StudyComparison* one) { return !one->why.empty(); });
    if (!explained) return table;
    table.columns.push_back({.title = phrase("remark"), .prose = true});
    for (std::size_t i = 0; i < rows_.size(); ++i)
      table.rows[i].push_back({.text = rows_[i]->why, .tone = Tone::quiet});
    return table;
  }

 private:
  Table begun() const {
    Table table;
    if (hasMany_) table.columns.push_back({.title = phrase("Measure"), .key = "measure"});
    table.columns.push_back({.title = isStaged_ ? phrase("Stage") : phrase("Variant"), .key = "variant"});
    if (isPlaced_) table.columns.push_back({.title = phrase("where"), .key = "where"});
    table.leftColumns = table.columns.size();
    table.columns.push_back({.title = "n", .number = true, .key = "n"});
    table.columns.push_back({.title = rows_.front()->reference, .number = true});
    table.columns.push_back({.title = phrase("its mean"), .number = true});
    table.columns.push_back({.title = phrase("difference"), .number = true});
    table.columns.push_back({.title = phrase("interval"), .number = true});
    for (const StudyComparison* one : rows_) table.rows.push_back(rowOf(*one));
    return table;
  }

  std::vector<Cell> rowOf(const StudyComparison& one) const {
    std::vector<Cell> row;
    if (hasMany_) row.push_back({.text = phrase(one.measure.name)});
    row.push_back({.text = one.variant});
    if (isPlaced_) row.push_back({.text = whereText(one)});
    row.push_back({.text = std::to_string(one.pairs)});
    row.push_back({.text = meanText(one, one.referenceMean, one.referenceSpread, one.referenceReached)});
    row.push_back({.text = meanText(one, one.mean, one.spread, one.reached)});
    row.push_back({.text = one.pairs > 0 ? effectText(one, one.effect) : "–", .tone = Tone::strong});
    row.push_back({.text = intervalText(one), .tone = Tone::quiet});
    return row;
  }

  std::vector<const StudyComparison*> rows_;
  bool isStaged_, hasMany_ = false, isPlaced_ = false, isTuned_ = false;
};

/// What a reader needs to understand the columns.
Text columnsText(const StudyMeasure& measure) {
  return measure.countsToTarget
             ? phrase(
                   "mean ± standard deviation over n seeds, up to where all were watched; behind it how many reached "
                   "the target")
             : phrase("mean ± standard deviation over n seeds");
}

}  // namespace

std::vector<Table> comparisonTables(const StudyVerdict& verdict) {
  std::vector<Table> tables;
  for (const std::string& key : verdict.study.question.judged()) {
    std::vector<const StudyComparison*> rows;
    for (const StudyComparison& one : verdict.comparisons) {
      if (one.measure.key == key) rows.push_back(&one);
    }
    if (rows.empty()) continue;
    const StudyComparison& first = *rows.front();
    tables.push_back(ComparisonTable(rows, verdict.study).withVerdicts(verdict.study));
    tables.back().caption = phrase("{}: each beside {}, paired by seed; {}.",
                                   {phrase(first.measure.name), first.reference, columnsText(first.measure)});
    tables.back().title = phrase(first.measure.name);  // a terminal shows no captions
    tables.back().name = "table";
  }
  return tables;
}

Text secondaryText() {
  return phrase(
      "Measures that the study did not declare as primary. Their intervals are not corrected for how many there are, "
      "nor for earlier looks, and they get no verdict: among many, some interval leaves out zero by chance.");
}

std::optional<Table> secondaryTable(const StudyVerdict& verdict) {
  if (verdict.secondary.empty()) return std::nullopt;
  std::vector<const StudyComparison*> rows;
  for (const StudyComparison& one : verdict.secondary) rows.push_back(&one);
  Table table = ComparisonTable(std::move(rows), verdict.study).withoutVerdicts();
  table.caption =
      phrase("Secondary measures beside {}, paired by seed; each interval is one of {} % by itself.",
             {verdict.secondary.front().reference, fmt::format("{:.4g}", 100 - 100 * verdict.study.question.alpha)});
  table.name = "secondary";
  return table;
}

std::optional<Table> tuningTable(const StudyVerdict& verdict) {
  if (verdict.tuned.empty()) return std::nullopt;
  Table table{.caption = phrase("What each variant was tuned to."),
              .columns = {{.title = phrase("Variant"), .key = "tuned"},
                          {.title = phrase("where")},
                          {.title = phrase("trials"), .number = true},
                          {.title = phrase("chosen"), .number = true},
                          {.title = phrase("values"), .prose = true}},
              .leftColumns = 2,
              .name = "tuning"};
  for (const TunedVariant& tuned : verdict.tuned) {
    table.rows.push_back({{.text = tuned.variant},
                          {.text = textOf(tuned.factors)},
                          {.text = std::to_string(tuned.trials)},
                          {.text = tuned.chosen ? std::to_string(*tuned.chosen) : "–"},
                          {.text = textOf(tuned.values)}});
  }
  return table;
}

std::string nameOf(StudyVerdictKind verdict) {
  constexpr std::array names{"better", "worse", "same", "not shown", "not comparable", "invalid"};
  return names.at(static_cast<std::size_t>(verdict));
}

Text verdictText(const StudyComparison& one, const Study& study) {
  switch (one.verdict) {
    case StudyVerdictKind::better:
      return phrase("better");
    case StudyVerdictKind::worse:
      return phrase("worse");
    case StudyVerdictKind::same:
      return phrase("same within ±{}", {marginText(one, study)});
    case StudyVerdictKind::notShown:
      if (one.seedsNeeded && *one.seedsNeeded > one.pairs) {
        return phrase("not shown (needs about {} more)", {std::to_string(*one.seedsNeeded - one.pairs)});
      }
      return phrase("not shown");
    case StudyVerdictKind::notComparable:
      return phrase("not comparable ({})", {one.why});
    case StudyVerdictKind::invalid:
      return phrase("invalid ({})", {one.why});
  }
  return {};
}

/// Before the first round of seeds is complete nothing has been looked at.
bool isJudgedYet(const StudyVerdict& verdict) {
  return std::ranges::any_of(verdict.comparisons, [](const StudyComparison& one) {
    return one.pairs > 0 || one.verdict == StudyVerdictKind::notComparable || one.verdict == StudyVerdictKind::invalid;
  });
}

Text summaryOf(const StudyVerdict& verdict) {
  const bool isOver = verdict.finished == verdict.cells;
  if (!isOver && !isJudgedYet(verdict)) {
    return phrase("So far {} of {} have ended: nothing is judged before the first round of seeds is complete.",
                  {std::to_string(verdict.finished), countedText(verdict.cells, "cell")});
  }
  constexpr std::array words{message("better"),    message("worse"),          message("the same"),
                             message("not shown"), message("not comparable"), message("invalid")};
  std::array<int, words.size()> counts{};
  for (const StudyComparison& one : verdict.comparisons) ++counts.at(static_cast<std::size_t>(one.verdict));
  std::vector<Text> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts.at(i) > 0) parts.push_back(phrase("{} {}", {std::to_string(counts.at(i)), phrase(words.at(i))}));
  }
  return phrase(isOver ? message("Of {}: {}.") : message("So far, at look {2}, of {0}: {1}."),
                {countedText(std::ssize(verdict.comparisons), "comparison"), joined(std::move(parts), ", "),
                 std::to_string(verdict.look)});
}

Text claimOf(const StudyComparison& one, const Study& study) {
  const bool isSame = one.verdict == StudyVerdictKind::same;
  const bool isClaim = isSame || one.verdict == StudyVerdictKind::better || one.verdict == StudyVerdictKind::worse;
  if (!isClaim || !one.low) return {};
  const Text about = joined({phrase(one.measure.name), whereText(one)}, ", ");
  const Text effect = strong(effectText(one, one.effect));
  const Text interval = "[" + effectText(one, *one.low) + ", " + effectText(one, *one.high) + "]";
  const Text seeds = countedText(one.pairs, "paired seed");
  if (isSame) {
    return phrase("{}: {} is the same as {} within ±{}: {} {}, {}.",
                  {about, one.variant, one.reference, marginText(one, study), effect, interval, seeds});
  }
  const char* claim = one.verdict == StudyVerdictKind::better ? message("{}: {} is better than {}: {} {}, {}.")
                                                              : message("{}: {} is worse than {}: {} {}, {}.");
  return phrase(claim, {about, one.variant, one.reference, effect, interval, seeds});
}

Text methodOf(const StudyVerdict& verdict) {
  const std::string alpha = fmt::format("{:.4g}", 100 * verdict.study.question.alpha);
  const Text together =
      phrase("Any claim of {} is wrong with {} % at most (Holm), at look {} of {} (O'Brien and Fleming, for up to {})",
             {countedText(verdict.judged, "comparison"), alpha, std::to_string(verdict.look),
              std::to_string(verdict.looks), countedText(verdict.study.seeds.most, "seed")});
  return phrase(
      "{}. Intervals are Student's t over pairs of seeds, of times and counts over the logarithms of their ratios; "
      "what was "
      "not reached counts up to where all were watched; accuracy and loss have the test set's error added. Same within "
      "a "
      "margin is shown by two one-sided tests.",
      {together});
}

ReportDocument studyDocument(const StudyVerdict& verdict) {
  ReportDocument document;
  document.title = phrase("Study {}", {verdict.study.name});
  document.add(Paragraph{summaryOf(verdict), Paragraph::Role::lead});
  for (const Text& badge : verdict.badges) document.add(Paragraph{badge, Paragraph::Role::lead});
  for (Table& table : comparisonTables(verdict)) document.add(std::move(table));
  // Holm's later claims share alpha among fewer, and their intervals with them.
  if (verdict.judged > 1) {
    document.add(Paragraph{phrase("Each interval holds by itself: that all of them hold together is not claimed."),
                           Paragraph::Role::caption});
  }
  if (auto table = secondaryTable(verdict)) {
    document.add(Paragraph{secondaryText(), Paragraph::Role::caption});
    document.add(std::move(*table));
  }
  if (auto table = tuningTable(verdict)) document.add(std::move(*table));
  for (Text& score : profileTexts(verdict)) document.add(Paragraph{std::move(score)});
  document.add(Paragraph{methodOf(verdict), Paragraph::Role::caption});
  for (const Text& remark : verdict.remarks) document.add(Paragraph{remark, Paragraph::Role::remark});
  document.add(Paragraph{phrase("Frozen as {}.", {verdict.hash.substr(0, 16)}), Paragraph::Role::caption});
  return document;
}

std::vector<Text> profileTexts(const StudyVerdict& verdict) {
  std::vector<Text> texts;
  for (const ProfileScore& one : verdict.profile) {
    texts.push_back(phrase("{}: {} of the area of the performance profile up to four times the best.",
                           {one.variant, fmt::format("{:.3f}", one.score)}));
  }
  return texts;
}

}  // namespace slipstream

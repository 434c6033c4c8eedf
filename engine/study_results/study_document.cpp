// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

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
  return effectText(one, *one.low) + " … " + effectText(one, *one.high);
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

std::string textOfValue(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Comparisons by measure, variant and factors, without columns that would say the same in each row or nothing; what is
/// as in the row above is said there.
class ComparisonTable {
 public:
  ComparisonTable(std::vector<const StudyComparison*> rows, const Study& study)
      : rows_(std::move(rows)), isStaged_(!study.question.stages.empty()) {
    std::ranges::stable_sort(rows_, {}, [&](const StudyComparison* one) { return placeOf(*one, study); });
    for (const StudyFactor& factor : study.factors) {
      if (factor.values.size() > 1) factors_.push_back(&factor);
    }
    hasVariants_ = !isStaged_ || study.variants.size() > 1;
    for (const StudyComparison* one : rows_) {
      hasMany_ = hasMany_ || one->measure.key != rows_.front()->measure.key;
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

  Table withoutVerdicts() const { return begun(); }

 private:
  static std::pair<std::ptrdiff_t, std::ptrdiff_t> placeOf(const StudyComparison& one, const Study& study) {
    const auto& all = studyMeasures();
    const auto measure = std::ranges::find(all, one.measure.key, &StudyMeasure::key) - all.begin();
    const std::string& variant = one.inVariant.empty() ? one.variant : one.inVariant;
    return {measure, std::ranges::find(study.variants, variant, &StudyVariant::name) - study.variants.begin()};
  }

  Table begun() const {
    Table table;
    if (hasMany_) table.columns.push_back({.title = phrase("Measure"), .key = "measure"});
    if (hasVariants_) table.columns.push_back({.title = phrase("Variant"), .prose = true, .key = "variant"});
    table.leftColumns = std::max<std::size_t>(1, table.columns.size());
    for (const StudyFactor* factor : factors_) {
      const bool isNumber = std::ranges::all_of(factor->values, [](const Json& value) { return value.is_number(); });
      table.columns.push_back({.title = factor->key, .number = isNumber, .key = factor->key});
    }
    if (isStaged_) table.columns.push_back({.title = phrase("Stage"), .key = "stage"});
    table.columns.push_back({.title = "n", .number = true, .key = "n"});
    table.columns.push_back({.title = rows_.front()->reference, .number = true});
    table.columns.push_back({.title = phrase("its mean"), .number = true});
    table.columns.push_back({.title = phrase("difference"), .number = true});
    table.columns.push_back({.title = phrase("interval"), .number = true});
    for (std::size_t i = 0; i < rows_.size(); ++i)
      table.rows.push_back(rowOf(*rows_[i], i > 0 ? rows_[i - 1] : nullptr));
    return table;
  }

  std::vector<Cell> rowOf(const StudyComparison& one, const StudyComparison* above) const {
    std::vector<Cell> row;
    const bool sameMeasure = above != nullptr && above->measure.key == one.measure.key;
    const std::string& variant = isStaged_ ? one.inVariant : one.variant;
    const bool sameVariant = sameMeasure && variant == (isStaged_ ? above->inVariant : above->variant);
    if (hasMany_) row.push_back({.text = sameMeasure ? Text() : phrase(one.measure.name)});
    if (hasVariants_) row.push_back({.text = sameVariant ? Text() : Text(variant)});
    for (const StudyFactor* factor : factors_) {
      const auto found = one.factors.find(factor->key);
      row.push_back({.text = found == one.factors.end() ? "" : textOfValue(found->second)});
    }
    if (isStaged_) row.push_back({.text = one.variant});
    row.push_back({.text = std::to_string(one.pairs)});
    row.push_back({.text = meanText(one, one.referenceMean, one.referenceSpread, one.referenceReached)});
    row.push_back({.text = meanText(one, one.mean, one.spread, one.reached)});
    row.push_back({.text = one.pairs > 0 ? effectText(one, one.effect) : "–", .tone = Tone::strong});
    row.push_back({.text = one.low ? intervalText(one) : "–", .tone = Tone::quiet});
    return row;
  }

  std::vector<const StudyComparison*> rows_;
  std::vector<const StudyFactor*> factors_;
  bool isStaged_, hasVariants_ = true, hasMany_ = false, isTuned_ = false;
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

Text withoutIntervalText(const StudyVerdict& verdict) {
  std::vector<Text> reasons;
  for (const StudyComparison& one : verdict.secondary) {
    if (one.low) continue;
    Text why = one.measure.bestOfMany       ? phrase("the best of many values is chosen after they are seen")
               : !one.why.empty()           ? one.why
               : one.pairs < fewestReplicas ? phrase("fewer than three seeds are paired")
                                            : phrase("what never varies is no estimate");
    if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(std::move(why));
  }
  return reasons.empty() ? Text() : phrase("No interval: {}.", {joined(std::move(reasons), "; ")});
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

/// The values that one factor has in these rows, or all of each where several vary: "parallel.ranks = 4, 8".
std::string placesText(const std::vector<const StudyComparison*>& rows) {
  std::vector<std::string> places;
  std::set<std::string> keys;
  for (const StudyComparison* one : rows) {
    for (const auto& [key, value] : one->factors) keys.insert(key);
  }
  if (keys.size() != 1) {
    for (const StudyComparison* one : rows) places.push_back(whereText(*one));
    std::erase(places, "");
    return join(places, "; ");
  }
  for (const StudyComparison* one : rows) places.push_back(textOfValue(one->factors.begin()->second));
  return *keys.begin() + " = " + join(places, ", ");
}

/// Why nothing was shown, without how much more it would take.
Text doubtOf(const StudyComparison& one) {
  if (one.verdict == StudyVerdictKind::notShown) return phrase("no difference is shown");
  if (one.verdict == StudyVerdictKind::notComparable) return phrase("not comparable ({})", {one.why});
  return one.verdict == StudyVerdictKind::invalid ? phrase("invalid ({})", {one.why}) : Text();
}

bool goesOn(const StudyVerdict& verdict) {
  return verdict.finished < verdict.cells && verdict.state != StudyState::done;
}

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

std::vector<Text> doubtsOf(const StudyVerdict& verdict) {
  struct Group {
    std::string measure;
    Text doubt;
    std::vector<std::pair<std::string, std::vector<const StudyComparison*>>> variants = {};
  };
  std::vector<Group> groups;
  for (const StudyComparison& one : verdict.comparisons) {
    Text doubt = doubtOf(one);
    if (doubt.empty()) continue;
    auto group = std::ranges::find_if(
        groups, [&](const Group& other) { return other.measure == one.measure.name && other.doubt == doubt; });
    if (group == groups.end()) group = groups.insert(group, Group{one.measure.name, std::move(doubt)});
    auto variant = std::ranges::find(group->variants, one.variant, [](const auto& entry) { return entry.first; });
    if (variant == group->variants.end()) variant = group->variants.insert(variant, {one.variant, {}});
    variant->second.push_back(&one);
  }
  std::vector<Text> sentences;
  for (const Group& group : groups) {
    std::vector<Text> names;
    for (const auto& [name, rows] : group.variants) {
      const std::string places = placesText(rows);
      names.push_back(places.empty() ? Text(name) : phrase("{} ({})", {name, places}));
    }
    sentences.push_back(phrase("{}, {}: {}.", {phrase(group.measure), group.doubt, joined(std::move(names), "; ")}));
  }
  return sentences;
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
    if (Text why = withoutIntervalText(verdict); !why.empty()) {
      document.add(Paragraph{std::move(why), Paragraph::Role::caption});
    }
  }
  if (auto table = tuningTable(verdict)) document.add(std::move(*table));
  for (Text& score : profileTexts(verdict)) document.add(Paragraph{std::move(score)});
  document.add(Paragraph{methodOf(verdict), Paragraph::Role::caption});
  for (const auto* remarks : {&verdict.remarks, &verdict.losses}) {
    for (const Text& remark : *remarks) document.add(Paragraph{remark, Paragraph::Role::remark});
  }
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

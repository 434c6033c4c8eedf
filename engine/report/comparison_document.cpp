// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a comparison, and the document that `slipstream compare` prints.
#include "engine/report/comparison_document.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/report/compared_accuracy.h"

namespace slipstream {
namespace {

/// "398", or "398 (5 of 5)" where five of five seeds reached the target; "> 398 (3 of 5)" where not all did.
Cell meanCell(const ComparedMeasure& one, double mean, const std::optional<int>& reached, bool isBound) {
  const std::string number = quantityText(mean, one.measure.quantity);
  if (!reached) return {.text = number, .number = mean};
  return {.text = phrase("{} ({} of {})",
                         {(isBound ? "> " : "") + number, std::to_string(*reached), std::to_string(one.pairs)}),
          .number = mean};
}

Cell unknownCell() {
  return {.text = "–", .tone = Tone::quiet};
}

/// Of a difference of which one side is a bound. Of two bounds it may be anything.
std::string boundSign(const ComparedMeasure& one) {
  return one.isReferenceBound() ? "< " : one.isValueBound() ? "> " : "";
}

/// "-16", or "< -16" where the reference would have needed more than it did: then it is a bound, as that is.
Cell differenceCell(const ComparedMeasure& one) {
  return {.text = boundSign(one) + differenceText(one.difference, one.measure.quantity),
          .number = one.difference,
          .tone = isDifference(one.verdict) ? Tone::strong : Tone::plain};
}

void addJudgementColumns(std::vector<Column>& columns) {
  columns.push_back({.title = phrase("difference"), .number = true});
  columns.push_back({.title = phrase("95 % interval"), .number = true});
  columns.push_back({});
  columns.push_back({.title = phrase("verdict"), .noteTitle = phrase("detectable")});
}

/// A column without any detectable difference does not promise one. Where some rows have an interval the others have a
/// dash; a column without any is empty, so that it gives way where there is little room.
void markUnknown(Table& table) {
  const bool hasNotes = std::ranges::any_of(table.rows, [](const auto& row) { return !row.back().note.empty(); });
  if (!hasNotes) table.columns.back().noteTitle = {};
  const std::size_t interval = table.columns.size() - 3;
  if (std::ranges::all_of(table.rows, [&](const auto& row) { return row[interval].text.empty(); })) return;
  for (auto& row : table.rows) {
    if (row[interval].text.empty()) row[interval] = unknownCell();
  }
}

/// Both means, their difference with its interval in numbers and drawn, and the verdict with the smallest difference
/// that would have been shown.
void addJudgement(const ComparedMeasure& one, std::vector<Cell>& row) {
  const Quantity quantity = one.measure.quantity;
  row.push_back(meanCell(one, one.reference, one.referenceReached, one.isReferenceBound()));
  row.push_back(meanCell(one, one.value, one.valueReached, one.isValueBound()));
  const bool isAnything = one.isReferenceBound() && one.isValueBound();
  row.push_back(isAnything ? unknownCell() : differenceCell(one));
  Cell interval{.tone = Tone::quiet};
  Cell drawn;
  if (one.low && !isAnything) {
    const std::string low = differenceText(*one.low, quantity), high = differenceText(*one.high, quantity);
    interval.text = one.isReferenceBound() ? "< " + high : one.isValueBound() ? "> " + low : low + " … " + high;
    if (boundSign(one).empty()) drawn.interval = Interval{*one.low, one.difference, *one.high};
  }
  row.push_back(std::move(interval));
  row.push_back(std::move(drawn));
  Cell verdict{.text = verdictText(one), .verdict = one.verdict};
  if (one.verdict == ComparisonVerdict::noDifferenceShown && one.detectable) {
    verdict.note = "±" + quantityText(*one.detectable, quantity);
  }
  row.push_back(std::move(verdict));
}

Column columnOf(const Variant& variant, bool number) {
  return {.title = variant.shownLabel(), .number = number, .prose = !number, .swatch = variant.colourSlot};
}

/// The seed of both, where each has one run and it is the same.
std::optional<std::uint64_t> commonSeed(const Variant& a, const Variant& b) {
  if (a.outcomes.size() != 1 || b.outcomes.size() != 1) return std::nullopt;
  const std::uint64_t seed = a.outcomes.front().run.seed;
  return seed == b.outcomes.front().run.seed ? std::optional(seed) : std::nullopt;
}

/// "stage train, paired by seed, n = 3", or "seed 3, n = 1"
Text pairedTitle(const Comparison& comparison, const ComparedVariant& compared) {
  const std::string pairs = std::to_string(compared.measures.front().pairs);
  const auto seed = commonSeed(comparison.variants.front(), comparison.variants[compared.variant]);
  if (seed && compared.stage.empty()) return phrase("seed {}, n = {}", {std::to_string(*seed), pairs});
  return compared.stage.empty() ? phrase("paired by seed, n = {}", {pairs})
                                : phrase("stage {}, paired by seed, n = {}", {compared.stage, pairs});
}

/// The first measure, then those with a difference that is shown, then the others; last those of which nothing is said.
std::vector<const ComparedMeasure*> shownFirst(const std::vector<ComparedMeasure>& measures) {
  std::vector<const ComparedMeasure*> ordered;
  for (const ComparedMeasure& one : measures) ordered.push_back(&one);
  if (ordered.empty()) return ordered;
  std::stable_partition(ordered.begin() + 1, ordered.end(),
                        [](const ComparedMeasure* one) { return isDifference(one->verdict); });
  std::stable_partition(ordered.begin() + 1, ordered.end(),
                        [](const ComparedMeasure* one) { return one->verdict != ComparisonVerdict::noClaim; });
  return ordered;
}

/// The steps of all its runs that ended; nothing where they are not as many.
std::optional<std::int64_t> stepsOf(const Variant& variant) {
  std::optional<std::int64_t> steps;
  for (const RunOutcome& outcome : variant.outcomes) {
    if (outcome.run.state != RunState::done) continue;
    if (steps && *steps != outcome.steps) return std::nullopt;
    steps = outcome.steps;
  }
  return steps;
}

/// Where one of them took more steps, what a step costs says little about a whole run. It is no measure, and not
/// judged.
std::optional<std::vector<Cell>> stepsRow(const Variant& reference, const Variant& variant) {
  const auto before = stepsOf(reference), after = stepsOf(variant);
  if (!before || !after || *before == *after) return std::nullopt;
  const auto cell = [](std::int64_t count, const std::string& words) {
    return Cell{.text = words, .number = static_cast<double>(count)};
  };
  return std::vector<Cell>{
      {.text = phrase("Steps")},
      cell(*before, countText(*before)),
      cell(*after, countText(*after)),
      cell(*after - *before, differenceText(static_cast<double>(*after - *before), Quantity::count))};
}

Table comparedTable(const Comparison& comparison, const ComparedVariant& compared) {
  const Variant& reference = comparison.variants.front();
  const Variant& variant = comparison.variants[compared.variant];
  const Text title = pairedTitle(comparison, compared);
  Table table{
      .caption = capitalized(phrase("{} against {}, {}.", {variant.shownLabel(), reference.shownLabel(), title})),
      .title = title,
      .columns = {{.title = phrase("Measure")}, columnOf(reference, true), columnOf(variant, true)},
      .name = "table"};
  addJudgementColumns(table.columns);
  for (const ComparedMeasure* one : shownFirst(compared.measures)) {
    // Times of identical replicas count each, so their n may be another.
    Text name = titleWithUnit(comparison, one->measure);
    if (one->pairs != compared.measures.front().pairs) name = phrase("{} (n = {})", {name, std::to_string(one->pairs)});
    table.rows.push_back({{.text = std::move(name)}});
    addJudgement(*one, table.rows.back());
  }
  markUnknown(table);
  if (auto steps = stepsRow(reference, variant); steps && compared.stage.empty()) {
    steps->resize(table.columns.size());
    table.rows.insert(table.rows.begin() + std::min<std::ptrdiff_t>(1, std::ssize(table.rows)), std::move(*steps));
  }
  return table;
}

/// The run's own values are beside its first stage.
void addOutcome(const Variant& variant, const RunOutcome& outcome, bool staged,
                const std::vector<const Measure*>& taken, std::vector<std::vector<Cell>>& rows) {
  for (std::size_t i = 0; i < outcome.stages.size(); ++i) {
    const StageOutcome& stage = outcome.stages[i];
    std::vector<Cell> row(4);
    if (i == 0) {
      const bool bad = outcome.run.state == RunState::failed;
      const Tone tone = outcome.run.state == RunState::done   ? Tone::good
                        : bad                                 ? Tone::bad
                        : outcome.run.state == RunState::lost ? Tone::lost
                                                              : Tone::plain;
      row = {{.text = variant.shownLabel(), .swatch = variant.colourSlot},
             {.text = outcome.run.id},
             {.text = std::to_string(outcome.run.seed)},
             {.text = stateText(outcome.run.state), .tone = tone}};
    }
    if (staged) row.push_back({.text = stage.stage.name});
    row.push_back({.text = countText(stage.steps)});
    for (const Measure* measure : taken) {
      Cell cell;
      if (const auto value = stage.value(measure->key)) {
        cell.number = *value;
        cell.text = (neverReached(stage, *measure) ? "> " : "") + quantityText(*value, measure->quantity);
      }
      row.push_back(std::move(cell));
    }
    rows.push_back(std::move(row));
  }
}

struct VariantMean {
  double mean = 0;
  int runs = 0;
  bool isBound = false;  ///< some of them never reached the target that is counted to
};

VariantMean meanOf(const Variant& variant, const Measure& measure) {
  VariantMean mean;
  for (const RunOutcome& outcome : variant.outcomes) {
    const auto value = outcome.stages.back().value(measure.key);
    if (outcome.run.state != RunState::done || !value) continue;
    mean.mean += *value;
    mean.isBound = mean.isBound || neverReached(outcome.stages.back(), measure);
    ++mean.runs;
  }
  if (mean.runs > 0) mean.mean /= mean.runs;
  return mean;
}

Cell cellOf(const VariantMean& mean, Quantity quantity) {
  if (mean.runs == 0) return unknownCell();
  return {.text = phrase("{} ({})", {(mean.isBound ? "> " : "") + quantityText(mean.mean, quantity),
                                     countedText(mean.runs, "run")})};
}

bool hasPairs(const Comparison& comparison, std::size_t variant) {
  return std::ranges::any_of(comparison.compared, [variant](const ComparedVariant& compared) {
    return compared.variant == variant && !compared.measures.empty();
  });
}

Table unpairedTable(const Comparison& comparison, std::size_t variant) {
  const Variant& reference = comparison.variants.front();
  const Variant& other = comparison.variants[variant];
  Table table{.title = phrase("no seed in common: nothing is paired"),
              .columns = {{.title = phrase("Measure")},
                          columnOf(reference, true),
                          columnOf(other, true),
                          {.title = phrase("difference"), .number = true},
                          {.title = phrase("verdict")}}};
  for (const Measure* measure : measuresTaken(comparison)) {
    const VariantMean before = meanOf(reference, *measure);
    const VariantMean after = meanOf(other, *measure);
    Cell difference = unknownCell();
    if (before.runs > 0 && after.runs > 0 && !(before.isBound && after.isBound)) {
      difference = {.text = (before.isBound  ? "< "
                             : after.isBound ? "> "
                                             : "") +
                            differenceText(after.mean - before.mean, measure->quantity)};
    }
    table.rows.push_back({{.text = titleWithUnit(comparison, *measure)},
                          cellOf(before, measure->quantity),
                          cellOf(after, measure->quantity),
                          std::move(difference),
                          {.text = phrase("no claim (not paired)"), .tone = Tone::quiet}});
  }
  return table;
}

bool continuesCharacter(char byte) {
  return (byte & 0xC0) == 0x80;
}

/// At most `length` bytes from `from` on, whole characters, with dots where something is left out.
std::string excerpt(const std::string& text, std::size_t from, std::size_t length) {
  while (from > 0 && continuesCharacter(text[from])) --from;
  std::size_t to = std::min(text.size(), from + length);
  while (to < text.size() && to > from && continuesCharacter(text[to])) --to;
  return (from > 0 ? "…" : "") + text.substr(from, to - from) + (to < text.size() ? "…" : "");
}

/// Long values from a little before the place where they begin to differ.
PlanDifference shortened(PlanDifference difference) {
  constexpr std::size_t most = 40, context = 10;
  std::vector<std::string>& values = difference.values;
  if (std::ranges::none_of(values, [](const std::string& value) { return value.size() > most; })) return difference;
  std::size_t same = values.front().size();
  for (const std::string& value : values) {
    const auto end = value.begin() + static_cast<std::ptrdiff_t>(std::min(same, value.size()));
    same = static_cast<std::size_t>(std::mismatch(value.begin(), end, values.front().begin()).first - value.begin());
  }
  const std::size_t skipped = same > context ? same - context : 0;
  for (std::string& value : values) value = excerpt(value, std::min(skipped, value.size()), most);
  return difference;
}

/// In a terminal rows begin with the run's id, which other commands take.
Table withIdFirst(Table table) {
  std::swap(table.columns[0], table.columns[1]);
  for (auto& row : table.rows) std::swap(row[0], row[1]);
  return table;
}

}  // namespace

Table outcomesTable(const Comparison& comparison) {
  const bool staged = std::ranges::any_of(comparison.variants, &Variant::staged);
  const std::vector<const Measure*> taken = measuresTaken(comparison);
  Table table{.caption = phrase("What every run came to."),
              .columns = {{.title = phrase("Run"), .key = "name"},
                          {.title = phrase("Id"), .key = "run"},
                          {.title = phrase("Seed"), .number = true, .key = "seed"},
                          {.title = phrase("State"), .key = "state"}},
              .leftColumns = staged ? 5U : 4U,
              .name = "runs"};
  if (staged) table.columns.push_back({.title = phrase("Stage"), .key = "stage"});
  table.columns.push_back({.title = phrase("Steps"), .number = true, .key = "steps"});
  for (const Measure* measure : taken) {
    table.columns.push_back({.title = titleWithUnit(comparison, *measure), .number = true, .key = measure->key});
  }
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) addOutcome(variant, outcome, staged, taken, table.rows);
  }
  return table;
}

namespace {

/// As one would say it: a switch is on or off.
Text parameterText(const std::string& value) {
  if (value == "true") return phrase("on");
  if (value == "false") return phrase("off");
  return value.empty() ? "–" : value;
}

}  // namespace

Table differencesTable(const Comparison& comparison, ParameterExtent extent) {
  Table table{.caption = phrase("Keys in which the experiments differ."),
              .columns = {{.title = phrase("Key"), .key = "what differs"}},
              .leftColumns = comparison.variants.size() + 1,
              .name = "differences"};
  for (const Variant& variant : comparison.variants) table.columns.push_back(columnOf(variant, false));
  const auto add = [&table](const PlanDifference& parameter, bool differs) {
    std::vector<Cell> row{{.text = parameter.key, .tone = differs ? Tone::plain : Tone::quiet}};
    for (const std::string& value : parameter.values) {
      const bool unlike = differs && value != parameter.values.front();
      const Tone tone = value.empty() || !differs ? Tone::quiet : unlike ? Tone::strong : Tone::plain;
      row.push_back({.text = parameterText(value), .tone = tone});
    }
    table.rows.push_back(std::move(row));
  };
  for (const PlanDifference& parameter : comparison.differences) {
    if (extent == ParameterExtent::chosen && followsFromAlgorithm(comparison, parameter)) continue;
    add(parameter, true);
  }
  if (extent != ParameterExtent::all) return table;
  for (const PlanDifference& parameter : comparison.equals) add(parameter, false);
  return table;
}

std::vector<Table> comparedTables(const Comparison& comparison) {
  std::vector<Table> tables;
  for (const ComparedVariant& compared : comparison.compared) {
    if (!compared.measures.empty()) tables.push_back(comparedTable(comparison, compared));
  }
  return tables;
}

std::optional<Table> comparedStagesTable(const Comparison& comparison, std::size_t variant) {
  const std::string& label = comparison.variants[variant].label;
  Table table{.caption = phrase("Stages of {} against each other, paired by run.", {label}),
              .title = phrase("stages of {}", {label}),
              .columns = {{.title = phrase("Stage")},
                          {.title = phrase("against")},
                          {.title = phrase("Measure"), .key = "paired by run"},
                          {.title = "n", .number = true},
                          {.title = phrase("mean against"), .number = true},
                          {.title = phrase("mean"), .number = true}},
              .leftColumns = 3,
              .name = "table"};
  addJudgementColumns(table.columns);
  for (const ComparedStages& compared : comparison.comparedStages) {
    if (compared.variant != variant) continue;
    for (const ComparedMeasure& one : compared.measures) {
      table.rows.push_back({{.text = compared.stage},
                            {.text = compared.reference},
                            {.text = titleWithUnit(comparison, one.measure)},
                            {.text = std::to_string(one.pairs)}});
      addJudgement(one, table.rows.back());
    }
  }
  markUnknown(table);
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

std::vector<Table> unpairedTables(const Comparison& comparison) {
  std::vector<Table> tables;
  for (std::size_t variant = 1; variant < comparison.variants.size(); ++variant) {
    if (!hasPairs(comparison, variant)) tables.push_back(unpairedTable(comparison, variant));
  }
  return tables;
}

ReportDocument comparisonDocument(const Comparison& comparison) {
  ReportDocument document;
  document.add(withIdFirst(outcomesTable(comparison)));
  Comparison brief;
  brief.variants = comparison.variants;
  for (const PlanDifference& difference : comparison.differences) brief.differences.push_back(shortened(difference));
  if (!brief.differences.empty()) document.add(differencesTable(brief));
  for (std::size_t variant = 1; variant < comparison.variants.size(); ++variant) {
    document.add(Paragraph{changesSentence(comparison, variant)});
  }
  const std::vector<Table> compared = comparedTables(comparison);
  for (const Table& table : compared) document.add(table);
  for (std::size_t variant = 0; variant < comparison.variants.size(); ++variant) {
    if (auto table = comparedStagesTable(comparison, variant)) document.add(std::move(*table));
  }
  if (!comparison.compared.empty() && compared.empty()) {
    document.add(Paragraph{phrase("nothing is paired: no seed was finished on both sides")});
  }
  if (Text method = methodText(comparison); !method.empty()) document.add(Paragraph{std::move(method)});
  for (Text& remark : remarksOn(comparison)) document.add(Paragraph{std::move(remark), Paragraph::Role::remark});
  return document;
}

std::string toText(const Comparison& comparison, Language language) {
  return toTerminal(comparisonDocument(comparison), language);
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/files.h"
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

std::string meanText(const StudyComparison& one, double mean, int reached) {
  const std::string text = one.pairs == 0 ? "–" : quantityText(mean, one.measure.quantity);
  return one.measure.countsToTarget && one.pairs > 0 ? fmt::format("{} ({}/{})", text, reached, one.pairs) : text;
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

Table comparisonTable(const StudyVerdict& verdict) {
  Table table{.caption = phrase("Each variant beside the reference, paired by seed."),
              .columns = {{.title = phrase("Variant"), .key = "variant"},
                          {.title = phrase("against"), .key = "against"},
                          {.title = phrase("where"), .key = "where"},
                          {.title = phrase("Measure"), .key = "measure"},
                          {.title = "n", .number = true, .key = "n"},
                          {.title = phrase("mean against"), .number = true},
                          {.title = phrase("mean"), .number = true},
                          {.title = phrase("difference"), .number = true},
                          {.title = phrase("interval"), .number = true},
                          {.title = phrase("verdict"), .noteTitle = phrase("detectable")},
                          {.title = phrase("trials"), .number = true}},
              .leftColumns = 4};
  for (const StudyComparison& one : verdict.comparisons) {
    const std::string interval = one.low ? effectText(one, *one.low) + " … " + effectText(one, *one.high) : "";
    Cell said{.text = verdictText(one, verdict.study), .tone = toneOf(one.verdict)};
    if (one.verdict == StudyVerdictKind::notShown && one.detectable) {
      said.note = "±" + (one.measure.ratio ? fmt::format("{:.1f} %", 100 * (*one.detectable - 1))
                                           : quantityText(*one.detectable, one.measure.quantity));
    }
    table.rows.push_back({{.text = one.variant},
                          {.text = one.reference},
                          {.text = whereText(one)},
                          {.text = phrase(one.measure.name)},
                          {.text = std::to_string(one.pairs)},
                          {.text = meanText(one, one.referenceMean, one.referenceReached)},
                          {.text = meanText(one, one.mean, one.reached)},
                          {.text = one.pairs > 0 ? effectText(one, one.effect) : "–", .tone = Tone::strong},
                          {.text = interval, .tone = Tone::quiet},
                          std::move(said),
                          {.text = fmt::format("{} / {}", one.referenceTrials, one.trials)}});
  }
  return table;
}

Table tuningTable(const StudyVerdict& verdict) {
  Table table{.caption = phrase("What each variant was tuned to."),
              .columns = {{.title = phrase("Variant"), .key = "tuned"},
                          {.title = phrase("where")},
                          {.title = phrase("trials"), .number = true},
                          {.title = phrase("chosen"), .number = true},
                          {.title = phrase("values"), .prose = true}},
              .leftColumns = 2};
  for (const TunedVariant& tuned : verdict.tuned) {
    table.rows.push_back({{.text = tuned.variant},
                          {.text = textOf(tuned.factors)},
                          {.text = std::to_string(tuned.trials)},
                          {.text = tuned.chosen ? std::to_string(*tuned.chosen) : "–"},
                          {.text = textOf(tuned.values)}});
  }
  return table;
}

std::string suffixOf(const std::filesystem::path& output) {
  std::string suffix = output.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return suffix;
}

}  // namespace

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

Text summaryOf(const StudyVerdict& verdict) {
  constexpr std::array words{message("better"),    message("worse"),          message("the same"),
                             message("not shown"), message("not comparable"), message("invalid")};
  std::array<int, words.size()> counts{};
  for (const StudyComparison& one : verdict.comparisons) ++counts.at(static_cast<std::size_t>(one.verdict));
  std::vector<Text> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts.at(i) > 0) parts.push_back(phrase("{} {}", {std::to_string(counts.at(i)), phrase(words.at(i))}));
  }
  return phrase("Of {}: {}.",
                {countedText(std::ssize(verdict.comparisons), "comparison"), joined(std::move(parts), ", ")});
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
  if (!verdict.comparisons.empty()) document.add(comparisonTable(verdict));
  // Holm's later claims share alpha among fewer, and their intervals with them.
  if (verdict.judged > 1) {
    document.add(Paragraph{phrase("Each interval holds by itself: that all of them hold together is not claimed."),
                           Paragraph::Role::caption});
  }
  if (!verdict.tuned.empty()) document.add(tuningTable(verdict));
  for (const ProfileScore& one : verdict.profile) {
    document.add(Paragraph{phrase("{}: {} of the area of the performance profile up to four times the best.",
                                  {one.variant, fmt::format("{:.3f}", one.score)})});
  }
  document.add(Paragraph{methodOf(verdict), Paragraph::Role::caption});
  for (const Text& remark : verdict.remarks) document.add(Paragraph{remark, Paragraph::Role::remark});
  document.add(Paragraph{phrase("Frozen as {}.", {verdict.hash.substr(0, 16)}), Paragraph::Role::caption});
  return document;
}

Status writeStudyReport(const StudyVerdict& verdict, const std::filesystem::path& output, Language language) {
  const std::string suffix = suffixOf(output);
  if (suffix == ".json") return writeFile(output, toJsonText(verdict) + "\n");
  if (suffix == ".csv") return writeFile(output, toCsvText(verdict));
  if (suffix == ".tex") return writeFile(output, toLatex(studyDocument(verdict), language));
  if (suffix == ".html" || suffix == ".htm") return writeFile(output, toHtml(studyDocument(verdict), language));
  if (suffix != ".pdf") {
    return fail("output", output.string(), suffix.empty() ? "has no suffix" : "is of no known format",
                "end it in .html, .pdf, .tex, .json or .csv");
  }
  SLIPSTREAM_TRY(text, toPdf(studyDocument(verdict), language));
  return writeFile(output, text);
}

}  // namespace slipstream

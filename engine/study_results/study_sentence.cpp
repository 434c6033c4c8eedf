// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/runs/measure.h"
#include "engine/study_results/scaling.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

constexpr std::size_t mostNamed = 3;

/// Claims of a difference downwards and upwards, of: the variant, how much, its interval, the reference.
struct ClaimPhrases {
  const char* less;
  const char* more;
};

const std::map<std::string, ClaimPhrases>& claimPhrases() {
  static const std::map<std::string, ClaimPhrases> all{
      {measure::secondsToTarget,
       {message("{} reaches the target in {} less time{} than {}"),
        message("{} reaches the target in {} more time{} than {}")}},
      {measure::stepsToTarget,
       {message("{} reaches the target in {} fewer steps{} than {}"),
        message("{} reaches the target in {} more steps{} than {}")}},
      {"samples_to_target",
       {message("{} reaches the target with {} fewer samples{} than {}"),
        message("{} reaches the target with {} more samples{} than {}")}},
      {measure::accuracy,
       {message("{} ends {} points lower in accuracy{} than {}"),
        message("{} ends {} points higher in accuracy{} than {}")}},
      {measure::testLoss,
       {message("{} ends with a test loss that is {} lower{} than with {}"),
        message("{} ends with a test loss that is {} higher{} than with {}")}},
      {measure::finalLoss,
       {message("{} ends with a training loss that is {} lower{} than with {}"),
        message("{} ends with a training loss that is {} higher{} than with {}")}},
      {measure::stepMilliseconds,
       {message("{} takes {} less time a step{} than {}"), message("{} takes {} more time a step{} than {}")}},
      {measure::trainingSeconds,
       {message("{} trains in {} less time{} than {}"), message("{} trains in {} more time{} than {}")}},
      {memoryBytes, {message("{} takes {} less memory{} than {}"), message("{} takes {} more memory{} than {}")}}};
  return all;
}

/// How far the variant is from the reference, without the sign: percent of ratios, else in the measure's unit.
std::string sizeOf(const StudyComparison& one, double effect, bool unit) {
  if (one.measure.ratio) {
    const double percent = std::abs(100 * (effect - 1));
    return fmt::format("{:.{}f}{}", percent, percent < 9.95 ? 1 : 0, unit ? " %" : "");
  }
  return quantityText(std::abs(effect), one.measure.quantity);
}

/// " [22, 39]": in the direction of the claim, so that what lies beyond nothing has a minus.
std::string intervalOf(const StudyComparison& one) {
  if (!one.low || *one.low == *one.high) return "";
  const double zero = one.measure.ratio ? 1 : 0;
  const bool down = one.effect < zero;
  const auto bound = [&](double value) {
    const bool against = (value < zero) != down && value != zero;
    return (against ? "−" : "") + sizeOf(one, value, false);
  };
  return fmt::format(" [{},\u00a0{}]", bound(down ? *one.high : *one.low), bound(down ? *one.low : *one.high));
}

Text claimOf(const StudyComparison& one) {
  const bool down = one.effect < (one.measure.ratio ? 1 : 0);
  const auto found = claimPhrases().find(one.measure.key);
  if (found == claimPhrases().end()) {
    return phrase("{} against {} in {}: {}",
                  {inSentence(one.variant), inSentence(one.reference), phrase(one.measure.name),
                   phrase(one.verdict == StudyVerdictKind::better ? "better" : "worse")});
  }
  return phrase(down ? found->second.less : found->second.more,
                {inSentence(one.variant), sizeOf(one, one.effect, true), intervalOf(one), inSentence(one.reference)});
}

/// "4 ranks", "train.epochs = 2"
Text shortPlace(const StudySettings& factors) {
  const auto ranks = factors.find(ranksKey);
  const bool isRanks = factors.size() == 1 && ranks != factors.end() && ranks->second.is_number_integer();
  return isRanks ? countedText(ranks->second.get<std::int64_t>(), "rank") : Text(textOf(factors));
}

/// In which variant, where stages are compared, and under which factors.
Text placeOf(const StudyComparison& one) {
  const Text where = whereOf(one.factors);
  if (one.inVariant.empty()) return where;
  return where.empty() ? phrase("in {}", {one.inVariant}) : phrase("in {}, {}", {one.inVariant, where});
}

Text placed(const StudyComparison& one, Text claim) {
  const Text place = placeOf(one);
  return place.empty() ? claim : phrase("{}, {}", {capitalized(place), std::move(claim)});
}

/// "adasum (4 ranks)"
Text nameOf(const StudyComparison& one, bool withMeasure) {
  std::vector<Text> places;
  if (withMeasure) places.push_back(phrase(one.measure.name));
  if (!one.inVariant.empty()) places.emplace_back(one.inVariant);
  if (!one.factors.empty()) places.push_back(shortPlace(one.factors));
  return places.empty() ? inSentence(one.variant)
                        : phrase("{} ({})", {inSentence(one.variant), joined(std::move(places), ", ")});
}

using Comparisons = std::vector<const StudyComparison*>;

Text listOf(const Comparisons& comparisons, bool withMeasure) {
  Text list = nameOf(*comparisons.front(), withMeasure);
  for (std::size_t i = 1; i < std::min(mostNamed, comparisons.size()); ++i)
    list = phrase("{}, {}", {std::move(list), nameOf(*comparisons[i], withMeasure)});
  if (comparisons.size() <= mostNamed) return list;
  return phrase("{}, {}", {std::move(list), phrase("{} more", {std::to_string(comparisons.size() - mostNamed)})});
}

/// Of comparisons of one measure.
double strengthOf(const StudyComparison& one) {
  return std::abs(one.measure.ratio ? std::log(one.effect) : one.effect);
}

/// Strongest first of each measure, measures in the order in which the study asks about them: points of accuracy and
/// shares of time are not compared.
Comparisons strongestFirst(Comparisons claims, const std::vector<std::string>& measures) {
  const auto placeOf = [&](const StudyComparison& one) {
    return std::ranges::find(measures, one.measure.key) - measures.begin();
  };
  std::ranges::stable_sort(claims, {},
                           [&](const StudyComparison* one) { return std::pair(placeOf(*one), -strengthOf(*one)); });
  return claims;
}

class Sentence {
 public:
  Sentence(const StudyVerdict& verdict, std::size_t mostClaims) : verdict_(verdict), mostClaims_(mostClaims) {}

  Text make() {
    if (goesOn(verdict_)) {
      if (!isJudgedYet(verdict_)) return summaryOf(verdict_);
      sentences_.push_back(
          phrase("So far, at look {} of {}:", {std::to_string(verdict_.look), std::to_string(verdict_.looks)}));
    }
    if (verdict_.comparisons.empty()) return phrase("There is nothing to compare: the study has one variant.");
    addClaims();
    addGroup(StudyVerdictKind::same, message("The same within the margin: {}."));
    addNotShown();
    addGroup(StudyVerdictKind::notComparable, message("Not comparable: {}."));
    addGroup(StudyVerdictKind::invalid, message("Invalid: {}."));
    return joined(std::move(sentences_), " ");
  }

 private:
  Comparisons of(StudyVerdictKind verdict) const {
    Comparisons found;
    for (const StudyComparison& one : verdict_.comparisons) {
      if (one.verdict == verdict) found.push_back(&one);
    }
    return found;
  }

  /// With the measures where there are several.
  Text list(const Comparisons& found) const { return listOf(found, verdict_.study.question.judged().size() > 1); }

  /// What is worse has a place of its own among those that are said in full, however much is better.
  void addClaims() {
    const std::vector<std::string> measures = verdict_.study.question.judged();
    const Comparisons better = strongestFirst(of(StudyVerdictKind::better), measures);
    const Comparisons worse = strongestFirst(of(StudyVerdictKind::worse), measures);
    const std::size_t kept = worse.empty() || better.empty() ? 0 : 1;
    const std::size_t ofBetter = std::min(better.size(), mostClaims_ - kept);
    const std::size_t ofWorse = std::min(worse.size(), mostClaims_ - ofBetter);
    for (std::size_t i = 0; i < ofBetter; ++i) addClaim(*better[i]);
    for (std::size_t i = 0; i < ofWorse; ++i) addClaim(*worse[i]);
    addList(Comparisons(better.begin() + static_cast<std::ptrdiff_t>(ofBetter), better.end()),
            message("Also better: {}."));
    addList(Comparisons(worse.begin() + static_cast<std::ptrdiff_t>(ofWorse), worse.end()), message("Also worse: {}."));
  }

  void addClaim(const StudyComparison& one) {
    const Text claim = placed(one, claimOf(one));
    sentences_.push_back(phrase("{}.", {std::exchange(isFirst_, false) ? strong(claim) : claim}));
  }

  void addList(const Comparisons& found, const char* pattern) {
    if (!found.empty()) sentences_.push_back(phrase(pattern, {list(found)}));
  }

  void addGroup(StudyVerdictKind verdict, const char* pattern) { addList(of(verdict), pattern); }

  void addNotShown() {
    const Comparisons found = of(StudyVerdictKind::notShown);
    if (found.empty()) return;
    int more = 0;
    for (const StudyComparison* one : found) {
      if (one->seedsNeeded) more = std::max(more, *one->seedsNeeded - one->pairs);
    }
    constexpr std::size_t mostListed = 3;
    if (found.size() > mostListed) {
      return sentences_.push_back(
          phrase("No difference is shown in {} of {}{}.",
                 {std::to_string(found.size()), countedText(std::ssize(verdict_.comparisons), "comparison"),
                  more > 0 ? phrase("; up to {} more would be needed", {countedText(more, "seed")}) : Text()}));
    }
    sentences_.push_back(more > 0 ? phrase("No difference is shown: {}; up to {} more would be needed.",
                                           {list(found), countedText(more, "seed")})
                                  : phrase("No difference is shown: {}.", {list(found)}));
  }

  const StudyVerdict& verdict_;
  std::size_t mostClaims_;
  bool isFirst_ = true;  ///< of the claims
  std::vector<Text> sentences_;
};

}  // namespace

Text whereOf(const StudySettings& factors) {
  if (factors.empty()) return {};
  const bool isRanks = factors.size() == 1 && factors.begin()->first == ranksKey;
  return phrase(isRanks ? message("at {}") : message("with {}"), {shortPlace(factors)});
}

Text sentenceOf(const StudyVerdict& verdict, std::size_t mostClaims) {
  return Sentence(verdict, mostClaims).make();
}

Text inSentence(const std::string& name) {
  return name.find(", ") == std::string::npos ? Text(name) : phrase("“{}”", {name});
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engine/runs/measure.h"
#include "engine/study/scaling.h"
#include "engine/study/study_document.h"

namespace slipstream {
namespace {

constexpr std::size_t mostClaims = 2, mostNamed = 3;

/// How a difference of a measure is told, downwards and upwards: the variant, how much, from, to, the reference.
struct Telling {
  const char* less;
  const char* more;
};

const std::map<std::string, Telling>& tellings() {
  static const std::map<std::string, Telling> all{
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
       {message("{} ends {} points of accuracy lower{} than {}"),
        message("{} ends {} points of accuracy higher{} than {}")}},
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
  return fmt::format(" [{}, {}]", bound(down ? *one.high : *one.low), bound(down ? *one.low : *one.high));
}

Text claimOf(const StudyComparison& one) {
  const bool down = one.effect < (one.measure.ratio ? 1 : 0);
  const auto found = tellings().find(one.measure.key);
  if (found == tellings().end()) {
    return phrase("{} against {} in {}: {}", {one.variant, one.reference, phrase(one.measure.name),
                                              phrase(one.verdict == StudyVerdictKind::better ? "better" : "worse")});
  }
  return phrase(down ? found->second.less : found->second.more,
                {one.variant, sizeOf(one, one.effect, true), intervalOf(one), one.reference});
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
Text nameOf(const StudyComparison& one) {
  std::vector<Text> places;
  if (!one.inVariant.empty()) places.emplace_back(one.inVariant);
  if (!one.factors.empty()) places.push_back(shortPlace(one.factors));
  return places.empty() ? Text(one.variant) : phrase("{} ({})", {one.variant, joined(std::move(places), ", ")});
}

using Comparisons = std::vector<const StudyComparison*>;

Text listOf(const Comparisons& comparisons) {
  Text list = nameOf(*comparisons.front());
  for (std::size_t i = 1; i < std::min(mostNamed, comparisons.size()); ++i)
    list = phrase("{}, {}", {std::move(list), nameOf(*comparisons[i])});
  if (comparisons.size() <= mostNamed) return list;
  return phrase("{}, {}", {std::move(list), phrase("{} more", {std::to_string(comparisons.size() - mostNamed)})});
}

double strengthOf(const StudyComparison& one) {
  return std::abs(one.measure.ratio ? std::log(one.effect) : one.effect);
}

class Sentence {
 public:
  explicit Sentence(const StudyVerdict& verdict) : verdict_(verdict) {}

  Text make() {
    if (goesOn()) {
      if (!hasLooked()) return beforeTheFirstLook();
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
  bool goesOn() const { return verdict_.finished < verdict_.cells && verdict_.state != StudyState::done; }
  bool hasLooked() const {
    return std::ranges::any_of(verdict_.comparisons, [](const StudyComparison& one) { return one.pairs > 0; });
  }

  Text beforeTheFirstLook() const {
    return phrase("So far {} of {} have ended. Nothing is claimed before all seeds of the round have.",
                  {std::to_string(verdict_.finished), countedText(verdict_.cells, "cell")});
  }

  Comparisons of(StudyVerdictKind verdict) const {
    Comparisons found;
    for (const StudyComparison& one : verdict_.comparisons) {
      if (one.verdict == verdict) found.push_back(&one);
    }
    return found;
  }

  void addClaims() {
    Comparisons claims = of(StudyVerdictKind::better);
    const Comparisons worse = of(StudyVerdictKind::worse);
    std::ranges::stable_sort(claims, std::greater(), [](const auto* one) { return strengthOf(*one); });
    claims.insert(claims.end(), worse.begin(), worse.end());
    for (std::size_t i = 0; i < std::min(mostClaims, claims.size()); ++i) {
      const Text claim = placed(*claims[i], claimOf(*claims[i]));
      sentences_.push_back(phrase("{}.", {i == 0 ? strong(claim) : claim}));
    }
    if (claims.size() > mostClaims) {
      const Comparisons others(claims.begin() + mostClaims, claims.end());
      sentences_.push_back(phrase("Also shown to differ: {}.", {listOf(others)}));
    }
  }

  void addGroup(StudyVerdictKind verdict, const char* pattern) {
    const Comparisons found = of(verdict);
    if (!found.empty()) sentences_.push_back(phrase(pattern, {listOf(found)}));
  }

  void addNotShown() {
    const Comparisons found = of(StudyVerdictKind::notShown);
    if (found.empty()) return;
    int more = 0;
    for (const StudyComparison* one : found) {
      if (one->seedsNeeded) more = std::max(more, *one->seedsNeeded - one->pairs);
    }
    sentences_.push_back(more > 0 ? phrase("No difference is shown: {} (it takes up to {} more).",
                                           {listOf(found), countedText(more, "seed")})
                                  : phrase("No difference is shown: {}.", {listOf(found)}));
  }

  const StudyVerdict& verdict_;
  std::vector<Text> sentences_;
};

}  // namespace

Text whereOf(const StudySettings& factors) {
  if (factors.empty()) return {};
  const bool isRanks = factors.size() == 1 && factors.begin()->first == ranksKey;
  return phrase(isRanks ? message("at {}") : message("with {}"), {shortPlace(factors)});
}

Text sentenceOf(const StudyVerdict& verdict) {
  return Sentence(verdict).make();
}

}  // namespace slipstream

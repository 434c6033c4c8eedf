// SPDX-License-Identifier: GPL-3.0-or-later
// How the tags of other programs become metrics; resources/docs/data.md says it to users.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/trackers/tagged_run.h"

namespace slipstream {
namespace {

constexpr std::size_t longestName = 200;

bool isLetterOrDigit(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// With an underscore for whatever would have to be quoted in tables, filters and shells.
std::string plainName(const std::string& tag) {
  std::string name;
  const bool isText = isUtf8(tag);
  for (const char letter : tag) {
    const bool stays = isLetterOrDigit(letter) || std::string_view("_-./").find(letter) != std::string_view::npos ||
                       (isText && (letter & 0x80) != 0);
    name += stays ? letter : '_';
  }
  return name;
}

/// "val/Loss" -> {"loss", "val"}
std::set<std::string> wordsOf(const std::string& tag) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : tag + " ") {
    if (isLetterOrDigit(letter)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

/// Takes those of the words out that are in the list; whether there was one.
bool takeOut(std::set<std::string>& words, const std::set<std::string>& list) {
  return std::erase_if(words, [&](const std::string& word) { return list.contains(word); }) > 0;
}

/// The metric that the words of a tag mean: what it measures and where, and nothing else. Empty where they mean none.
std::string meantMetric(const std::string& tag) {
  static const std::set<std::string> training{"train", "training"};
  static const std::set<std::string> testing{"test", "testing", "val", "valid", "validation", "eval", "evaluation"};
  std::set<std::string> words = wordsOf(tag);
  const bool ofTraining = takeOut(words, training);
  const bool ofTest = takeOut(words, testing);
  if (ofTraining && ofTest) return "";
  if (words == std::set<std::string>{"loss"}) return ofTest ? metric::evaluationLoss : metric::loss;
  const bool isAccuracy = words == std::set<std::string>{"accuracy"} || words == std::set<std::string>{"acc"};
  if (isAccuracy) return ofTraining ? "" : metric::accuracy;
  const bool isRate = words == std::set<std::string>{"lr"} || words == std::set<std::string>{"learning", "rate"};
  return isRate && !ofTest ? metric::learningRate : "";
}

bool areFractions(const Series& series) {
  return std::ranges::all_of(series.values,
                             [](double value) { return !std::isfinite(value) || (value >= 0 && value <= 1); });
}

/// Steps in increasing order, the last report of each; how many others there were.
std::int64_t tidy(Series& series) {
  std::vector<std::size_t> order(series.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return series.steps[i]; });
  Series tidied;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = order[i];
    if (i + 1 < order.size() && series.steps[order[i + 1]] == series.steps[from]) continue;
    tidied.steps.push_back(series.steps[from]);
    tidied.wallNanoseconds.push_back(series.wallNanoseconds[from]);
    tidied.values.push_back(series.values[from]);
  }
  const auto dropped = static_cast<std::int64_t>(series.steps.size() - tidied.steps.size());
  series = std::move(tidied);
  return dropped;
}

/// One tag on its way to a metric.
struct NamedTag {
  std::string tag;
  std::string metric;
  double divisor = 1;
  bool meant = false;  ///< named by the meaning of its words, which others may share
};

NamedTag nameOf(const std::string& tag, const Series& series, const std::map<std::string, std::string>& asked) {
  if (const auto found = asked.find(tag); found != asked.end()) {
    const bool percent = endsWith(found->second, "%");
    return {tag, percent ? found->second.substr(0, found->second.size() - 1) : found->second, percent ? 100.0 : 1.0};
  }
  NamedTag named{tag, plainName(tag)};
  const bool known = findMetric(named.metric) != nullptr;
  if (const std::string meant = known ? "" : meantMetric(tag); !meant.empty()) {
    named.metric = meant;
    named.meant = true;
  }
  const MetricInfo* info = findMetric(named.metric);
  if (info != nullptr && info->isFraction() && !areFractions(series)) {
    named.metric = known ? named.metric + "_percent" : plainName(tag);
    named.meant = false;
  }
  return named;
}

/// Where several tags would be one metric, those that only mean it keep their own names.
void keepApart(std::vector<NamedTag>& tags) {
  std::map<std::string, int> uses;
  for (const NamedTag& one : tags) ++uses[one.metric];
  for (NamedTag& one : tags) {
    if (uses[one.metric] > 1 && one.meant) one.metric = plainName(one.tag);
  }
}

Status checkNames(const TaggedRun& run, const std::vector<NamedTag>& tags) {
  Failures failures;
  std::map<std::string, std::string> taken;
  for (const NamedTag& one : tags) {
    if (one.metric.empty() || one.metric.size() > longestName) {
      failures.push_back({run.source, printable(one.tag.substr(0, longestName)),
                          fmt::format("a tag has no name, or one of more than {} bytes", longestName),
                          "name its metric: --metric TAG=METRIC"});
      continue;
    }
    const auto [other, fresh] = taken.emplace(one.metric, one.tag);
    if (fresh) continue;
    failures.push_back({run.source, printable(one.tag),
                        fmt::format("would be the metric {}, as {} is", one.metric, printable(other->second)),
                        "name one of them otherwise: --metric TAG=METRIC"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace

Status nameMetrics(const TaggedRun& run, const std::map<std::string, std::string>& asked, RunToImport& named,
                   std::vector<std::string>& notes) {
  std::vector<NamedTag> tags;
  for (const auto& [tag, series] : run.tags) tags.push_back(nameOf(tag, series, asked));
  keepApart(tags);
  SLIPSTREAM_CHECK(checkNames(run, tags));
  Failures failures;
  std::vector<std::string> renamed;
  std::int64_t dropped = 0;
  for (const NamedTag& one : tags) {
    Series series = run.tags.at(one.tag);
    dropped += tidy(series);
    if (series.steps.front() < 0) {
      failures.push_back({run.source, printable(one.tag), fmt::format("has the step {}", series.steps.front()),
                          "steps are counted from 0"});
      continue;
    }
    if (series.steps.back() >= endOfSteps) {
      failures.push_back({run.source, printable(one.tag), fmt::format("has the step {}", series.steps.back()),
                          fmt::format("steps are counted up to {}", endOfSteps - 1)});
      continue;
    }
    for (double& value : series.values) value /= one.divisor;
    if (one.metric != one.tag) renamed.push_back(fmt::format("{} is {}", printable(one.tag), one.metric));
    named.series[one.metric] = std::move(series);
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  if (!renamed.empty()) notes.push_back(fmt::format("{}: {}", run.name, join(renamed, ", ")));
  if (dropped > 0) {
    notes.push_back(fmt::format("{}: {} of a step that was reported again later; the last report of each counts",
                                run.name, counted(dropped, "value")));
  }
  return {};
}

}  // namespace slipstream

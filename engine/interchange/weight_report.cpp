// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_match.h"

namespace slipstream {
namespace {

/// "a, b, c and 12 more"
std::string listed(
    const std::vector<std::string>& names,
    const std::function<std::string(const std::string&)>& shownAs = [](const auto& name) { return printable(name); }) {
  constexpr std::size_t most = 8;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) shown.push_back(shownAs(names[i]));
  std::string text = join(shown, ", ");
  if (names.size() > most)
    text += fmt::format(" and {} more", countText(static_cast<std::int64_t>(names.size() - most)));
  return text;
}

/// With what the source calls them, and the name there that is most like it: tensors are often renamed, or cut off.
std::string listedMissing(const WeightReport& report) {
  return listed(report.missing, [&](const std::string& name) {
    const std::string there = report.prefix + nameIn(report.names, name);
    std::vector<std::string> notes;
    if (report.names != TensorNames::own && there != name) notes.push_back(printable(there) + " there");
    if (const auto nearest = nearestName(there, report.unused)) notes.push_back("nearest: " + printable(*nearest));
    return notes.empty() ? name : fmt::format("{} ({})", name, join(notes, "; "));
  });
}

std::string withCount(const std::vector<std::string>& names, std::string_view what, const std::string& list) {
  return fmt::format("{} {}: {}", counted(std::ssize(names), "tensor"), what, list);
}

std::string withCount(const std::vector<std::string>& names, std::string_view what) {
  return withCount(names, what, listed(names));
}

}  // namespace

std::vector<std::string> WeightReport::lines() const {
  std::string taken = fmt::format("{}: {}", source, counted(weights, "weight tensor"));
  if (statistics > 0) taken += " and " + counted(statistics, "running statistic");
  taken += names == TensorNames::own ? " taken by name" : " taken by torchvision's names";
  if (turned) taken += fmt::format(", turned from {} to {}", nameOf(ChannelPlace::first), nameOf(ChannelPlace::last));
  std::vector<std::string> lines{taken};
  if (!prefix.empty()) lines.push_back(fmt::format("left out of its names: {}", printable(prefix)));
  if (!converted.empty()) lines.push_back(withCount(converted, "made fp32"));
  if (lacksStatisticsOnly) lines.emplace_back("it holds no running statistics");
  if (!missing.empty() && !lacksStatisticsOnly) lines.push_back(withCount(missing, "not in it", listedMissing(*this)));
  for (const ShapeMismatch& mismatch : mismatches)
    lines.push_back(fmt::format("does not fit: {} {}", mismatch.name, mismatch.why));
  if (!unused.empty()) lines.push_back(withCount(unused, "of it not in the network"));
  if (trainingState > 0)
    lines.push_back(fmt::format("{} of training state left alone", counted(trainingState, "tensor")));
  return lines;
}

Failures WeightReport::failures(const std::string& remedy) const {
  Failures all;
  if (!missing.empty() && !lacksStatisticsOnly) {
    all.push_back(
        {source, "",
         fmt::format("lacks {} of the network: {}", counted(std::ssize(missing), "tensor"), listedMissing(*this)),
         remedy});
  }
  for (const ShapeMismatch& mismatch : mismatches)
    all.push_back({source, "", mismatch.name + " " + mismatch.why, remedy});
  return all;
}

}  // namespace slipstream

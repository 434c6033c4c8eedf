// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/weight_match.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/interchange/element_values.h"
#include "engine/interchange/weight_names.h"

namespace slipstream {
namespace {

/// Sizes of one at the end say nothing about how values lie.
std::vector<std::int64_t> withoutTrailingOnes(std::vector<std::int64_t> shape) {
  while (!shape.empty() && shape.back() == 1) shape.pop_back();
  return shape;
}

bool fits(const TensorEntry& entry, const ExpectedTensor& wanted, ChannelPlace place) {
  return withoutTrailingOnes(entry.shape) == withoutTrailingOnes(shapeWithChannels(wanted.shape, place));
}

std::map<std::string, std::size_t> byName(const std::vector<TensorEntry>& tensors, const std::string& prefix) {
  std::map<std::string, std::size_t> indices;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string_view name = plainName(tensors[i].name);
    if (name.starts_with(prefix)) indices.emplace(name.substr(prefix.size()), i);
  }
  return indices;
}

}  // namespace

WeightMatch::WeightMatch(std::shared_ptr<TensorSource> source, const std::vector<ExpectedTensor>& wanted)
    : source_(std::move(source)) {
  report_.source = source_->name();
  const auto indices = indicesByName(wanted);
  choosePlace(wanted, indices);
  for (const ExpectedTensor& tensor : wanted) {
    const auto found = indices.find(tensor.name);
    if (found == indices.end()) {
      report_.missing.push_back(tensor.name);
    } else {
      take(tensor, found->second);
    }
  }
  describeRest(wanted);
}

std::map<std::string, std::size_t> WeightMatch::indicesByName(const std::vector<ExpectedTensor>& wanted) {
  const std::vector<TensorEntry>& tensors = source_->tensors();
  auto indices = byName(tensors, "");
  std::vector<std::string> missing;
  for (const ExpectedTensor& tensor : wanted) {
    if (!indices.contains(tensor.name)) missing.push_back(tensor.name);
  }
  std::vector<std::string> present;
  for (const TensorEntry& tensor : tensors) {
    if (!isTrainingState(tensor.name)) present.emplace_back(plainName(tensor.name));
  }
  report_.prefix = commonPrefix(missing, present);
  if (!report_.prefix.empty()) indices.merge(byName(tensors, report_.prefix));
  return indices;
}

void WeightMatch::choosePlace(const std::vector<ExpectedTensor>& wanted,
                              const std::map<std::string, std::size_t>& indices) {
  report_.channels = ChannelPlace::first;
  if (const auto said = source_->channels()) {
    report_.channels = *said;
    return;
  }
  for (const ExpectedTensor& tensor : wanted) {
    const auto found = indices.find(tensor.name);
    if (found == indices.end()) continue;
    const TensorEntry& entry = source_->tensors()[found->second];
    const bool first = fits(entry, tensor, ChannelPlace::first);
    const bool last = fits(entry, tensor, ChannelPlace::last);
    if (first == last) continue;
    report_.channels = first ? ChannelPlace::first : ChannelPlace::last;
    return;
  }
}

void WeightMatch::take(const ExpectedTensor& wanted, std::size_t index) {
  const TensorEntry& entry = source_->tensors()[index];
  if (!becomesFloat(entry.type)) {
    report_.mismatches.push_back({wanted.name, fmt::format("is {}, the network's is floating-point", typeText(entry))});
    return;
  }
  if (!fits(entry, wanted, report_.channels)) {
    report_.mismatches.push_back(
        {wanted.name, fmt::format("is {}, the network's is {}", shapeText(entry.shape),
                                  shapeText(shapeWithChannels(wanted.shape, report_.channels)))});
    return;
  }
  if (entry.type != ElementType::float32) report_.converted.push_back(wanted.name);
  const bool turns = report_.channels == ChannelPlace::first && wanted.order.pixels > 1 && wanted.order.channels > 1;
  report_.turned = report_.turned || turns;
  found_[wanted.name] = {index, turns ? wanted.order : PixelOrder{}};
  ++(wanted.statistic ? report_.statistics : report_.weights);
}

void WeightMatch::describeRest(const std::vector<ExpectedTensor>& wanted) {
  std::set<std::size_t> used;
  for (const auto& [name, found] : found_) used.insert(found.index);
  std::set<std::string> mismatches;
  for (const ShapeMismatch& mismatch : report_.mismatches) mismatches.insert(report_.prefix + mismatch.name);
  const std::vector<TensorEntry>& tensors = source_->tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name(plainName(tensors[i].name));
    if (used.contains(i) || mismatches.contains(name) || mismatches.contains(report_.prefix + name)) continue;
    if (isTrainingState(tensors[i].name)) {
      ++report_.trainingState;
    } else {
      report_.unused.push_back(tensors[i].name);
    }
  }
  const auto statistics = std::ranges::count_if(wanted, &ExpectedTensor::statistic);
  report_.lacksStatisticsOnly = statistics > 0 && report_.statistics == 0 && report_.mismatches.empty() &&
                                std::ssize(report_.missing) == statistics;
}

std::vector<std::string> WeightMatch::taken() const {
  std::set<std::size_t> indices;
  for (const auto& [name, found] : found_) indices.insert(found.index);
  std::vector<std::string> names;
  for (const std::size_t index : indices) names.push_back(source_->tensors()[index].name);
  return names;
}

Status WeightMatch::read(const std::string& name, std::span<float> values) const {
  const Found& found = found_.at(name);
  const TensorEntry& entry = source_->tensors()[found.index];
  SLIPSTREAM_TRY(bytes, source_->read(found.index));
  toFloats(entry.type, bytes, values);
  if (found.order == PixelOrder{}) return {};
  const std::vector<float> last = turned(values, found.order, ChannelPlace::first);
  std::ranges::copy(last, values.begin());
  return {};
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/weight_match.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/interchange/element_values.h"

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
  const Naming naming = bestNaming(wanted);
  report_.source = source_->name();
  report_.names = naming.names;
  report_.prefix = naming.prefix;
  report_.conventions = source_->conventions();
  if (report_.conventions.empty() && naming.names == TensorNames::torchvision) report_.conventions = "torchvision";
  choosePlace(wanted, naming.indices);
  for (const ExpectedTensor& tensor : wanted) {
    const auto found = naming.indices.find(tensor.name);
    if (found == naming.indices.end()) {
      report_.missing.push_back(tensor.name);
    } else {
      take(tensor, found->second);
    }
  }
  describeRest(wanted, naming.indices);
}

WeightMatch::Naming WeightMatch::bestNaming(const std::vector<ExpectedTensor>& wanted) const {
  Naming own = namingOf(wanted, TensorNames::own);
  if (own.indices.size() == wanted.size()) return own;
  Naming other = namingOf(wanted, TensorNames::torchvision);
  return other.indices.size() > own.indices.size() ? other : own;
}

WeightMatch::Naming WeightMatch::namingOf(const std::vector<ExpectedTensor>& wanted, TensorNames names) const {
  const std::vector<TensorEntry>& tensors = source_->tensors();
  auto present = byName(tensors, "");
  std::vector<std::string> missing;
  for (const ExpectedTensor& tensor : wanted) {
    std::string name = nameIn(names, tensor.name);
    if (!present.contains(name)) missing.push_back(std::move(name));
  }
  std::vector<std::string> candidates;
  for (const TensorEntry& tensor : tensors) {
    if (!isTrainingState(tensor.name)) candidates.emplace_back(plainName(tensor.name));
  }
  Naming naming{names, commonPrefix(missing, candidates)};
  if (!naming.prefix.empty()) present.merge(byName(tensors, naming.prefix));
  for (const ExpectedTensor& tensor : wanted) {
    const auto found = present.find(nameIn(names, tensor.name));
    if (found != present.end()) naming.indices.emplace(tensor.name, found->second);
  }
  return naming;
}

void WeightMatch::choosePlace(const std::vector<ExpectedTensor>& wanted, const Indices& indices) {
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

void WeightMatch::describeRest(const std::vector<ExpectedTensor>& wanted, const Indices& indices) {
  std::set<std::size_t> known;
  for (const auto& [name, index] : indices) known.insert(index);
  const std::vector<TensorEntry>& tensors = source_->tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (known.contains(i)) continue;
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

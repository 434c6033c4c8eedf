// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/parameter_layout.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "engine/base/error.h"

namespace slipstream {
namespace {

Bucket bucketOf(const ParameterLayout& layout, int firstTensor, int endTensor) {
  const auto& tensors = layout.tensors();
  const auto begin = tensors[static_cast<std::size_t>(firstTensor)].range.begin;
  const auto end = tensors[static_cast<std::size_t>(endTensor - 1)].range.end;
  return {{begin, end}, firstTensor, endTensor};
}

/// Groups that start at `starts` (forward order, rising), in layout order. Starts outside the tensors change nothing.
std::vector<Bucket> bucketsFromStarts(const ParameterLayout& layout, const std::vector<int>& starts) {
  if (!std::is_sorted(starts.begin(), starts.end())) throw Error("bucket indices must rise");
  const int count = static_cast<int>(layout.tensors().size());
  std::vector<Bucket> buckets;
  int end = count;
  const auto close = [&](int start) {
    if (start < 0 || start >= end) return;
    buckets.push_back(bucketOf(layout, count - end, count - start));
    end = start;
  };
  std::for_each(starts.rbegin(), starts.rend(), close);
  close(0);
  return buckets;
}

}  // namespace

ParameterLayout::ParameterLayout(const NetworkShape& shape) {
  tensors_.reserve(shape.tensors.size());
  for (auto spec = shape.tensors.rbegin(); spec != shape.tensors.rend(); ++spec) {
    const auto end = size_ + spec->elements();
    tensors_.push_back({*spec, {size_, end}});
    size_ = end;
  }
}

std::vector<TensorSpec> ParameterLayout::forwardTensors() const {
  std::vector<TensorSpec> specs;
  for (const FlatTensor& tensor : tensors_ | std::views::reverse) specs.push_back(tensor.spec);
  return specs;
}

const FlatTensor& ParameterLayout::tensor(const std::string& name) const {
  const auto found = std::find_if(tensors_.begin(), tensors_.end(),
                                  [&](const FlatTensor& candidate) { return candidate.spec.name == name; });
  if (found == tensors_.end()) throw Error("the network has no tensor " + name);
  return *found;
}

int ParameterLayout::tensorAt(std::int64_t position) const {
  if (position < 0 || position >= size_) throw Error("position outside the parameters");
  const auto found = std::partition_point(tensors_.begin(), tensors_.end(),
                                          [&](const FlatTensor& candidate) { return candidate.range.end <= position; });
  return static_cast<int>(found - tensors_.begin());
}

Range ParameterLayout::rangeFromLayer(int firstLayer) const {
  std::int64_t end = 0;
  for (const FlatTensor& tensor : tensors_) {
    if (tensor.spec.layer >= firstLayer) end = tensor.range.end;
  }
  return {0, end};
}

Range ParameterLayout::rangeOfLayer(int layer) const {
  Range range;
  for (const auto& tensor : tensors_) {
    if (tensor.spec.layer != layer) continue;
    if (range.size() == 0) range.begin = tensor.range.begin;
    range.end = tensor.range.end;
  }
  return range;
}

std::vector<Bucket> bucketsBySize(const ParameterLayout& layout, std::int64_t bytes) {
  const auto limit = bytes / static_cast<std::int64_t>(sizeof(float));
  std::vector<Bucket> buckets;
  int first = 0;
  const int count = static_cast<int>(layout.tensors().size());
  for (int next = 1; next <= count; ++next) {
    if (next < count && bucketOf(layout, first, next + 1).range.size() <= limit) continue;
    buckets.push_back(bucketOf(layout, first, next));
    first = next;
  }
  return buckets;
}

std::vector<Bucket> bucketsByIndex(const ParameterLayout& layout, const std::vector<int>& lastIndices) {
  std::vector<int> starts;
  for (const int last : lastIndices) {
    if (std::cmp_less(last, layout.tensors().size())) starts.push_back(last + 1);
  }
  return bucketsFromStarts(layout, starts);
}

}  // namespace slipstream

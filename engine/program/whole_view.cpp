// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/whole_view.h"

#include <algorithm>

namespace slipstream {
namespace {

constexpr std::size_t zerosAtOnce = std::size_t{1} << 20;

}  // namespace

WholeView::WholeView(ParameterStore& store, const ParameterLayout& layout, Device& device, bool direct,
                     MemoryCategory category)
    : store_(store), layout_(layout), device_(device) {
  const auto size = static_cast<std::size_t>(layout.size());
  if (direct && store.permanent() != nullptr) {
    values_ = store.acquire({0, layout.size()});
    store.release({0, layout.size()});
    return;
  }
  copy_ = device.allocate(size * sizeof(float), category);
  values_ = copy_->as<float>().first(size);
}

void WholeView::fetch() {
  if (isDirect()) return;
  for (auto tensor = layout_.tensors().begin(); tensor != layout_.tensors().end();) {
    const Range layer = layout_.rangeOfLayer(tensor->spec.layer);
    const std::span<float> from = store_.acquire(layer);
    device_.copyWithin(std::as_writable_bytes(part(layer)), std::as_bytes(from));
    store_.release(layer);
    while (tensor != layout_.tensors().end() && tensor->range.begin < layer.end) ++tensor;
  }
}

void WholeView::put(int layer) {
  if (isDirect()) return;
  const Range range = layout_.rangeOfLayer(layer);
  const std::span<float> to = store_.acquire(range);
  device_.copyWithin(std::as_writable_bytes(to), std::as_bytes(part(range)));
  store_.release(range);
  clear(part(range));
}

void WholeView::clear() {
  clear(values_);
}

void WholeView::clear(std::span<float> values) {
  if (device_.usesHostMemory()) {
    std::ranges::fill(values, 0.0F);
    return;
  }
  if (!zeros_) zeros_ = device_.allocate(zerosAtOnce * sizeof(float), MemoryCategory::gather);
  for (std::size_t at = 0; at < values.size(); at += zerosAtOnce) {
    const auto some = values.subspan(at, std::min(zerosAtOnce, values.size() - at));
    device_.copyWithin(std::as_writable_bytes(some), std::as_bytes(zeros_->as<float>().first(some.size())));
  }
}

std::span<float> WholeView::part(Range range) const {
  return values_.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
}

}  // namespace slipstream

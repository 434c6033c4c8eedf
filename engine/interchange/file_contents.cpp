// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/file_contents.h"

#include <algorithm>
#include <string_view>

namespace slipstream {

std::optional<std::int64_t> elementsOf(const std::vector<std::int64_t>& shape, std::int64_t most) {
  if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; })) return std::nullopt;
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (size > most / elements) return std::nullopt;
    elements *= size;
  }
  if (elements > most) return std::nullopt;
  return elements;
}

std::optional<std::string> repeatedName(const std::vector<StoredTensor>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const StoredTensor& tensor : tensors) names.emplace_back(tensor.entry.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return std::nullopt;
  return std::string(*twice);
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/tensor_source.h"

#include "engine/base/text.h"

namespace slipstream {

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return sizes.empty() ? "scalar" : join(sizes, " x ");
}

std::string typeText(const TensorEntry& entry) {
  const std::string_view ckpt = ckptName(entry.type);
  std::string text(ckpt.empty() ? safetensorsName(entry.type) : ckpt);
  if (bytesOf(entry.type) > 0) text += " " + shapeText(entry.shape);
  return text;
}

}  // namespace slipstream

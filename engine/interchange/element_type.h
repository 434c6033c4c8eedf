// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// What the values of a stored tensor are. `text` (UTF-32, little-endian) and `randomState` are MindSpore's own, and
/// have as many bytes as they have.
enum class ElementType {
  float32,
  float16,
  bfloat16,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  float8e4m3,
  float8e5m2,
  text,
  randomState
};

/// MindSpore's name of the type; empty where it has none.
std::string_view ckptName(ElementType type);
/// Safetensors' name of the type; empty where it has none.
std::string_view safetensorsName(ElementType type);
/// Bytes of one value; 0 where the bytes are not values of one size.
std::int64_t bytesOf(ElementType type);

std::optional<ElementType> typeOfCkpt(std::string_view name);
std::optional<ElementType> typeOfSafetensors(std::string_view name);
/// All names, for remedies.
std::vector<std::string> ckptTypeNames();
std::vector<std::string> safetensorsTypeNames();

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/element_type.h"

#include <algorithm>
#include <array>

namespace slipstream {
namespace {

struct Row {
  ElementType type;
  std::string_view ckpt;
  std::string_view safetensors;
  std::int64_t bytes;
};

/// In the order of the enumeration.
constexpr std::array rows{
    Row{ElementType::float32, "Float32", "F32", 4},    Row{ElementType::float16, "Float16", "F16", 2},
    Row{ElementType::bfloat16, "BFloat16", "BF16", 2}, Row{ElementType::float64, "Float64", "F64", 8},
    Row{ElementType::int8, "Int8", "I8", 1},           Row{ElementType::uint8, "UInt8", "U8", 1},
    Row{ElementType::int16, "Int16", "I16", 2},        Row{ElementType::uint16, "UInt16", "U16", 2},
    Row{ElementType::int32, "Int32", "I32", 4},        Row{ElementType::uint32, "UInt32", "U32", 4},
    Row{ElementType::int64, "Int64", "I64", 8},        Row{ElementType::uint64, "UInt64", "U64", 8},
    Row{ElementType::boolean, "Bool", "BOOL", 1},      Row{ElementType::float8e4m3, "", "F8_E4M3", 1},
    Row{ElementType::float8e5m2, "", "F8_E5M2", 1},    Row{ElementType::text, "str", "", 0},
    Row{ElementType::randomState, "random_op", "", 0}};

const Row& rowOf(ElementType type) {
  return rows.at(static_cast<std::size_t>(type));
}

std::optional<ElementType> typeOf(std::string_view name, std::string_view Row::*column) {
  const auto* const found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return !name.empty() && row.*column == name; });
  if (found == rows.end()) return std::nullopt;
  return found->type;
}

std::vector<std::string> names(std::string_view Row::*column) {
  std::vector<std::string> all;
  for (const Row& row : rows) {
    if (!(row.*column).empty()) all.emplace_back(row.*column);
  }
  return all;
}

}  // namespace

std::string_view ckptName(ElementType type) {
  return rowOf(type).ckpt;
}

std::string_view safetensorsName(ElementType type) {
  return rowOf(type).safetensors;
}

std::int64_t bytesOf(ElementType type) {
  return rowOf(type).bytes;
}

std::optional<ElementType> typeOfCkpt(std::string_view name) {
  return typeOf(name, &Row::ckpt);
}

std::optional<ElementType> typeOfSafetensors(std::string_view name) {
  return typeOf(name, &Row::safetensors);
}

std::vector<std::string> ckptTypeNames() {
  return names(&Row::ckpt);
}

std::vector<std::string> safetensorsTypeNames() {
  return names(&Row::safetensors);
}

}  // namespace slipstream

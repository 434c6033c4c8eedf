// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel binary for the fake CANN with two kernels.
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

struct Argument {
  std::uint64_t bits;
  std::uint32_t bytes;
};

/// values[i] += first + block, by blocks in turn: (float* values, uint32 count, float first)
void addBlocks(unsigned blocks, const Argument* arguments) {
  auto* values = reinterpret_cast<float*>(arguments[0].bits);
  const auto count = static_cast<std::uint32_t>(arguments[1].bits);
  float first = 0;
  std::memcpy(&first, &arguments[2].bits, sizeof(first));
  for (std::uint32_t i = 0; i < count; ++i) values[i] += first + static_cast<float>(i % blocks);
}

/// *value *= 2: (float* value)
void twice(unsigned, const Argument* arguments) {
  *reinterpret_cast<float*>(arguments[0].bits) *= 2;
}

}  // namespace

extern "C" int slipstream_run_npu_kernel(const char* name, unsigned blocks, const void* arguments, unsigned) {
  const auto* values = static_cast<const Argument*>(arguments);
  if (std::string_view(name) == "addBlocks") {
    if (blocks > 0) addBlocks(blocks, values);
    return 0;
  }
  if (std::string_view(name) == "twice") {
    if (blocks > 0) twice(blocks, values);
    return 0;
  }
  return 1;
}

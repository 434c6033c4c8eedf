// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace slipstream {

#if defined(__x86_64__)

std::string instructionSet() {
  if (__builtin_cpu_supports("x86-64-v4")) return "avx512";
  return __builtin_cpu_supports("x86-64-v3") ? "avx2" : "baseline";
}

/// Intel's manual, volume 2, CPUID leaf 7: AMX-BF16, and in its part 1 AVX512_BF16.
bool multipliesBfloat16() {
  unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned int leaf = 7, amxBf16 = 1U << 22U, avx512Bf16 = 1U << 5U;
  if (__get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & amxBf16) != 0) return true;
  return __get_cpuid_count(leaf, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & avx512Bf16) != 0;
}

#else

std::string instructionSet() {
  return "baseline";
}

bool multipliesBfloat16() {
  return false;
}

#endif

}  // namespace slipstream

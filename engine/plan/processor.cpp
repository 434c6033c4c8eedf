// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace slipstream {

#if defined(__x86_64__)

namespace {

/// Linux gives a process the large tile registers only where it asks (Documentation/arch/x86/xstate.rst).
bool mayUseTileRegisters() {
  constexpr long askPermission = 0x1023, tileData = 18;
  return ::syscall(SYS_arch_prctl, askPermission, tileData) == 0;
}

/// Intel's manual, volume 2, CPUID leaf 7: AMX-BF16 and AMX-TILE, and in its part 1 AVX512_BF16.
bool hasTileProducts() {
  unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned int leaf = 7, amx = 1U << 22U | 1U << 24U, avx512Bf16 = 1U << 5U;
  if (__get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & amx) != amx) return false;
  return __get_cpuid_count(leaf, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & avx512Bf16) != 0;
}

}  // namespace

bool multipliesTiles() {
  static const bool does = __builtin_cpu_supports("x86-64-v4") && hasTileProducts() && mayUseTileRegisters();
  return does;
}

std::string instructionSet() {
  if (multipliesTiles()) return "avx512_amx";
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

bool multipliesTiles() {
  return false;
}

#endif

}  // namespace slipstream

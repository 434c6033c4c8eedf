// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/processor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "engine/probe/environment_switches.h"

namespace slipstream {

#if defined(__x86_64__)

namespace {

/// Intel's manual, volume 2, CPUID leaf 7 and its part 1.
struct MatrixFeatures {
  bool amxBf16 = false;
  bool amxTile = false;
  bool avx512Bf16 = false;
};

MatrixFeatures matrixFeatures() {
  unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned int leaf = 7;
  MatrixFeatures found;
  if (__get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) != 0) {
    found.amxBf16 = (edx & (1U << 22U)) != 0;
    found.amxTile = (edx & (1U << 24U)) != 0;
  }
  if (__get_cpuid_count(leaf, 1, &eax, &ebx, &ecx, &edx) != 0) found.avx512Bf16 = (eax & (1U << 5U)) != 0;
  return found;
}

/// Linux gives a process the large tile registers only where it asks (Documentation/arch/x86/xstate.rst).
bool mayUseTileRegisters() {
  constexpr long askPermission = 0x1023, tileData = 18;
  return ::syscall(SYS_arch_prctl, askPermission, tileData) == 0;
}

bool hasTileProducts() {
  const MatrixFeatures found = matrixFeatures();
  return __builtin_cpu_supports("x86-64-v4") != 0 && found.amxBf16 && found.amxTile && found.avx512Bf16;
}

}  // namespace

bool multipliesTiles() {
  static const bool does = hasTileProducts() && mayUseMatrixUnit().value_or(true) && mayUseTileRegisters();
  return does;
}

InstructionSet instructionSet() {
  if (multipliesTiles()) return InstructionSet::avx512Amx;
  if (__builtin_cpu_supports("x86-64-v4")) return InstructionSet::avx512;
  return __builtin_cpu_supports("x86-64-v3") ? InstructionSet::avx2 : InstructionSet::baseline;
}

bool multipliesBfloat16() {
  const MatrixFeatures found = matrixFeatures();
  return found.amxBf16 || found.avx512Bf16;
}

#else

InstructionSet instructionSet() {
  return InstructionSet::baseline;
}

bool multipliesBfloat16() {
  return false;
}

bool multipliesTiles() {
  return false;
}

#endif

namespace {

constexpr std::array<std::string_view, 4> instructionSetNames{"baseline", "avx2", "avx512", "avx512_amx"};

}  // namespace

std::string nameOf(InstructionSet set) {
  return std::string(instructionSetNames[static_cast<std::size_t>(set)]);
}

std::optional<InstructionSet> findInstructionSet(const std::string& name) {
  const auto found = std::ranges::find(instructionSetNames, name);
  if (found == instructionSetNames.end()) return std::nullopt;
  return static_cast<InstructionSet>(found - instructionSetNames.begin());
}

bool excludesMatrixUnit(const std::string& recorded) {
  return findInstructionSet(recorded) == InstructionSet::avx512;
}

bool computesAs(const std::string& recorded) {
  const auto set = findInstructionSet(recorded);
  return set == instructionSet() || (excludesMatrixUnit(recorded) && instructionSet() == InstructionSet::avx512Amx);
}

}  // namespace slipstream

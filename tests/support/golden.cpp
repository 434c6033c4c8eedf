// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

namespace slipstream::test {
namespace {

bool hasCases(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return false;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") return true;
  }
  return false;
}

}  // namespace

std::optional<std::filesystem::path> goldenFolder() {
  const char* named = std::getenv("SLIPSTREAM_GOLDEN");
  if (named != nullptr) {
    if (!hasCases(named)) throw std::runtime_error(std::string("SLIPSTREAM_GOLDEN holds no cases: ") + named);
    return named;
  }
  const std::filesystem::path beside = std::filesystem::path(SLIPSTREAM_SOURCE) / "../shared/golden";
  if (!hasCases(beside)) return std::nullopt;
  return beside;
}

nlohmann::json readGolden(const std::filesystem::path& folder, const std::string& name) {
  std::ifstream file(folder / name);
  if (!file) throw std::runtime_error("cannot read " + (folder / name).string());
  return nlohmann::json::parse(file);
}

void CaseCounter::finish() const {
  std::printf("golden %s: %zu of %zu cases ran\n", file_.c_str(), used_, expected_);
  EXPECT_GT(expected_, 0U) << file_ << " holds no cases";
  EXPECT_EQ(used_, expected_) << file_ << " holds cases that this test did not use";
}

}  // namespace slipstream::test

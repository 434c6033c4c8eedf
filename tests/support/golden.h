// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// The folder of reference results: SLIPSTREAM_GOLDEN, else ../shared/golden beside the source. Nothing where the
/// variable is unset and the folder is missing; then the test is skipped, visibly. A variable that names a folder
/// without cases fails the test.
std::optional<std::filesystem::path> goldenFolder();

/// Reads FOLDER/name; an unreadable file fails the test (throws).
nlohmann::json readGolden(const std::filesystem::path& folder, const std::string& name);

/// Counts the cases of one file that a test has used, and at the end fails where one was left out. Prints how many ran.
class CaseCounter {
 public:
  CaseCounter(std::string file, std::size_t expected) : file_(std::move(file)), expected_(expected) {}
  void used() { ++used_; }
  /// EXPECTs that every case was used and that there was at least one.
  void finish() const;

 private:
  std::string file_;
  std::size_t expected_;
  std::size_t used_ = 0;
};

/// First line of a golden test: leaves the test as skipped where there is no folder.
#define SLIPSTREAM_GOLDEN_FOLDER(variable)                                                             \
  const auto variable##Found = slipstream::test::goldenFolder();                                       \
  if (!variable##Found) GTEST_SKIP() << "no reference results: set SLIPSTREAM_GOLDEN to their folder"; \
  const std::filesystem::path variable = *variable##Found

}  // namespace slipstream::test

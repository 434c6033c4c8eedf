// SPDX-License-Identifier: GPL-3.0-or-later
// Every broken experiment of tests/cases is told in the words that expected.json holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/check_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

const std::filesystem::path cases = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases/experiments";

TEST(BrokenExperiments, AreToldInTheWordsExpected) {
  const Json expected = Json::parse(readFile(cases / "expected.json").value_or(""), nullptr, false);
  ASSERT_TRUE(expected.is_object());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    const std::string name = entry.path().filename().string();
    if (name == "expected.json") continue;
    ++files;
    ASSERT_TRUE(expected.contains(name)) << name;
    const FileCheck check = checkFile(entry.path(), test::environmentOf());
    EXPECT_EQ(nameOf(check.verdict), expected[name]["verdict"].get<std::string>()) << name;
    std::string told;
    for (const Finding& finding : check.findings) told += finding.path + ": " + finding.problem.in() + "\n";
    for (const Json& words : expected[name]["words"]) EXPECT_THAT(told, testing::HasSubstr(words)) << name;
  }
  EXPECT_EQ(files, expected.size());
}

}  // namespace
}  // namespace slipstream

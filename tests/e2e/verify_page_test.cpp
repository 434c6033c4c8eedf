// SPDX-License-Identifier: GPL-3.0-or-later
// resources/docs/verify-it-yourself.md is true: its files are written and its commands run, from top to bottom.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

/// A fenced block of a page: "```sh", or "```python NAME" for a file.
struct FencedBlock {
  std::string language;
  std::string fileName;
  std::string text;
};

std::vector<FencedBlock> fencedBlocks(const std::string& page) {
  std::vector<FencedBlock> blocks;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (!inside) continue;
      FencedBlock block;
      std::istringstream(line.substr(3)) >> block.language >> block.fileName;
      blocks.push_back(block);
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

/// A Python with numpy: the first of PATH, else Debian's. Empty where neither has it.
std::string pythonWithNumpy() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (std::system(fmt::format("{} -c 'import numpy' 2>/dev/null", python).c_str()) != 0) continue;
    return *python == '/' ? python : "$(command -v python3)";
  }
  return "";
}

class VerifyPage : public testing::Test {
 protected:
  void SetUp() override {
    const auto page = readFile(fs::path(SLIPSTREAM_SOURCE) / "resources/docs/verify-it-yourself.md");
    ASSERT_TRUE(page);
    blocks = fencedBlocks(*page);
    python = pythonWithNumpy();
    ASSERT_FALSE(python.empty())
        << "no python3 with numpy: install Debian's python3-numpy (resources/debian-packages.txt)";
  }

  /// Writes the files and runs the commands in a folder of their own; returns bash's exit status.
  int runPage() {
    std::string script = fmt::format(
        "set -euo pipefail\ncd '{0}'\nmkdir -p programs\nln -sf \"{1}\" programs/python3\n"
        "export PATH=\"$PWD/programs:{2}/bin:$PATH\" SLIPSTREAM_STORE=\"$PWD/store\"\n",
        sandbox.folder().string(), python, SLIPSTREAM_BUILD);
    for (const FencedBlock& block : blocks) {
      if (!block.fileName.empty()) std::ofstream(sandbox.folder() / block.fileName) << block.text;
      if (block.language == "sh") script += block.text;
    }
    std::ofstream(sandbox.folder() / "page.sh") << script;
    const std::string folder = sandbox.folder().string();
    const int status = std::system(fmt::format("bash '{0}/page.sh' > '{0}/page.log' 2>&1 < /dev/null", folder).c_str());
    log = readFile(sandbox.folder() / "page.log").value_or("");
    return status;
  }

  test::Sandbox sandbox;
  std::vector<FencedBlock> blocks;
  std::string python;
  std::string log;
};

TEST_F(VerifyPage, EveryCommandAndLineOfPythonDoesWhatThePageSays) {
  EXPECT_EQ(runPage(), 0) << log;
  EXPECT_THAT(log, testing::HasSubstr("averaged: weights"));
  EXPECT_THAT(log, testing::HasSubstr("adasum: weights"));
}

TEST_F(VerifyPage, NoticesAWrongNumber) {
  for (FencedBlock& block : blocks) {
    if (block.fileName != "compare.py") continue;
    const auto at = block.text.find("0.9 * velocity");
    ASSERT_NE(at, std::string::npos);
    block.text.replace(at, 3, "0.90001");
  }
  EXPECT_NE(runPage(), 0);
  EXPECT_THAT(log, testing::HasSubstr("AssertionError"));
}

TEST_F(VerifyPage, LeavesNoBlockUnread) {
  EXPECT_EQ(blocks.size(), 6U);
  for (const FencedBlock& block : blocks) {
    EXPECT_TRUE(block.language == "sh" || !block.fileName.empty()) << block.text;
  }
}

}  // namespace
}  // namespace slipstream

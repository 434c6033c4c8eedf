// SPDX-License-Identifier: GPL-3.0-or-later
// A folder is replaced whole, and only where it holds nothing but what was written there.
#include "engine/paper/paper_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "engine/base/files.h"
#include "engine/paper/replace_folder.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PaperFolder : public ::testing::Test {
 protected:
  Status write(const std::string& text = "one") {
    return replacePaperFolder(folder, {{"table.tex", text}, {"data/runs.csv", "a,b\n"}});
  }
  /// What lies beside the folder, which must be nothing.
  std::vector<std::string> beside() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(around.path())) names.push_back(entry.path().filename().string());
    return names;
  }
  std::string refusal() const {
    const Status checked = checkPaperFolder(folder);
    return checked ? "" : toText(checked.error());
  }
  std::string table() const { return readFile(folder / "table.tex").value(); }
  void add(const std::string& name, const std::string& text = "mine") const {
    ASSERT_TRUE(makeFolder((folder / name).parent_path()));
    ASSERT_TRUE(writeFile(folder / name, text));
  }

  test::TemporaryFolder around;
  fs::path folder = around.path() / "paper";
};

TEST(PaperFolderName, EndsInASlashOrIsAFolder) {
  const test::TemporaryFolder around;
  EXPECT_TRUE(namesFolder("paper/"));
  EXPECT_TRUE(namesFolder(around.path()));
  EXPECT_FALSE(namesFolder(around.path() / "paper"));
  EXPECT_FALSE(namesFolder("paper.pdf"));
}

TEST_F(PaperFolder, HoldsTheFilesAndTheirHashes) {
  ASSERT_TRUE(write());
  EXPECT_EQ(table(), "one");
  EXPECT_EQ(readFile(folder / "data/runs.csv").value(), "a,b\n");
  const auto contents = nlohmann::json::parse(readFile(folder / contentsFile).value());
  EXPECT_EQ(contents["kind"], "slipstream paper");
  EXPECT_EQ(contents["files"].size(), 2U);
  // echo -n one | sha256sum
  EXPECT_EQ(contents["files"]["table.tex"], "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");
  EXPECT_THAT(beside(), ElementsAre("paper"));
}

TEST_F(PaperFolder, IsReplacedWhereNothingElseIsInIt) {
  ASSERT_TRUE(write());
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
  for (const char* made : {"paper.aux", "paper.log", "paper.pdf", "paper.synctex.gz"}) add(made);
  ASSERT_TRUE(write("two"));
  EXPECT_EQ(table(), "two");
  EXPECT_FALSE(fs::exists(folder / "paper.aux")) << "what LaTeX made of the old one";
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << "what was closed to others stays closed";
  EXPECT_THAT(beside(), ElementsAre("paper"));
}

TEST_F(PaperFolder, MayBeEmptyOrMissFiles) {
  ASSERT_TRUE(makeFolder(folder));
  ASSERT_TRUE(write());
  fs::remove(folder / "data/runs.csv");
  EXPECT_TRUE(write("two"));
  EXPECT_TRUE(fs::exists(folder / "data/runs.csv"));
}

TEST_F(PaperFolder, WithOtherContentIsRefusedAndNamed) {
  add("notes.txt");
  EXPECT_THAT(refusal(), HasSubstr("notes.txt"));
  EXPECT_THAT(refusal(), HasSubstr("name a folder that is new or empty"));
  EXPECT_FALSE(write());
  EXPECT_EQ(readFile(folder / "notes.txt").value(), "mine");
  EXPECT_THAT(beside(), ElementsAre("paper"));
}

TEST_F(PaperFolder, WhatWasAddedOrChangedSinceIsRefusedAtOnce) {
  ASSERT_TRUE(write());
  add("table.tex", "edited");
  add("figures/mine.pdf");
  fs::create_symlink("/etc/passwd", folder / "link");
  EXPECT_THAT(refusal(), HasSubstr("figures/mine.pdf, link"));
  EXPECT_THAT(refusal(), HasSubstr("table.tex"));
  EXPECT_THAT(refusal(), HasSubstr("changed since slipstream wrote them"));
  EXPECT_FALSE(write("two"));
  EXPECT_EQ(table(), "edited");
}

TEST_F(PaperFolder, AListOfSomebodyElseIsNone) {
  add(contentsFile, R"({"kind": "other", "files": {"table.tex": "x"}})");
  EXPECT_THAT(refusal(), HasSubstr(contentsFile));
  add(contentsFile, "no JSON");
  EXPECT_THAT(refusal(), HasSubstr(contentsFile));
}

TEST_F(PaperFolder, IsNoFileAndHasAFolderAroundIt) {
  ASSERT_TRUE(writeFile(folder, "a file"));
  EXPECT_THAT(refusal(), HasSubstr("is a file, not a folder"));
  fs::remove(folder);
  folder = around.path() / "none/paper/";
  EXPECT_THAT(refusal(), HasSubstr("the folder around it is not there"));
}

TEST_F(PaperFolder, IsNotTheOneThatTheCommandIsCalledIn) {
  ASSERT_TRUE(makeFolder(folder));
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  EXPECT_THAT(refusal(), HasSubstr("is the folder that this is called in"));
  folder = "..";
  EXPECT_THAT(refusal(), HasSubstr("or around it"));
  fs::current_path(before);
}

TEST_F(PaperFolder, BehindALinkTheLinkStays) {
  ASSERT_TRUE(makeFolder(around.path() / "there"));
  fs::create_symlink("there", folder);
  ASSERT_TRUE(write());
  ASSERT_TRUE(write("two"));
  EXPECT_TRUE(fs::is_symlink(folder));
  EXPECT_EQ(readFile(around.path() / "there/table.tex").value(), "two");
}

/// What cannot be looked at may be anybody's: the folder stays.
TEST_F(PaperFolder, ThatCannotBeReadThroughIsRefused) {
  ASSERT_TRUE(write());
  add("private/notes.txt");
  for (const fs::path& closed : {folder / "private", folder}) {
    fs::permissions(closed, fs::perms::owner_write | fs::perms::owner_exec);
    {
      const test::OrdinaryUser user(around.path());
      EXPECT_THAT(refusal(), HasSubstr("cannot be read through")) << closed;
      EXPECT_THAT(refusal(), HasSubstr(closed.string() + ":"));
      EXPECT_FALSE(write("two"));
    }
    fs::permissions(closed, fs::perms::owner_all);
    EXPECT_EQ(readFile(folder / "private/notes.txt").value(), "mine");
    EXPECT_EQ(table(), "one");
  }
}

/// As on file systems that cannot exchange two names.
TEST_F(PaperFolder, IsReplacedInStepsAndPutBackWhereOneFails) {
  ASSERT_TRUE(write());
  /// `failing`: the step that fails, from 1 on.
  const auto replaceWith = [&](int failing) {
    BesideFolder made(folder);
    EXPECT_TRUE(writeFile(made.path() / "table.tex", "two"));
    int steps = 0;
    return takePlaceInSteps(made, folder, [&](const fs::path& from, const fs::path& to) {
      return ++steps != failing && ::rename(from.c_str(), to.c_str()) == 0;
    });
  };
  EXPECT_FALSE(replaceWith(1));
  EXPECT_EQ(table(), "one");
  EXPECT_FALSE(replaceWith(2));
  EXPECT_EQ(table(), "one") << "it was put back";
  EXPECT_THAT(beside(), ElementsAre("paper"));
  EXPECT_TRUE(replaceWith(0));
  EXPECT_EQ(table(), "two");
  EXPECT_THAT(beside(), ElementsAre("paper"));
}

TEST_F(PaperFolder, ThatCannotBePutBackIsKeptAndNamed) {
  ASSERT_TRUE(write());
  Status replaced;
  {
    BesideFolder made(folder);
    int steps = 0;
    replaced = takePlaceInSteps(made, folder, [&](const fs::path& from, const fs::path& to) {
      return ++steps == 1 && ::rename(from.c_str(), to.c_str()) == 0;
    });
  }
  ASSERT_FALSE(replaced);
  ASSERT_EQ(beside().size(), 1U);
  const fs::path kept = around.path() / beside().front();
  EXPECT_THAT(replaced.error().front().problem, HasSubstr(kept.string()));
  EXPECT_EQ(readFile(kept / "table.tex").value(), "one");
}

TEST_F(PaperFolder, StaysAsItWasWhereANewOneCannotBeWritten) {
  ASSERT_TRUE(write());
  // One file is in the place of the other's folder.
  EXPECT_FALSE(replacePaperFolder(folder, {{"data", "x"}, {"data/runs.csv", "y"}}));
  EXPECT_EQ(table(), "one");
  EXPECT_THAT(beside(), ElementsAre("paper"));
}

}  // namespace
}  // namespace slipstream

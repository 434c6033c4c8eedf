// SPDX-License-Identifier: GPL-3.0-or-later
// What `cmake --install` puts into a folder works from there.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

struct CommandEnd {
  int status = 0;
  std::string output;
};

CommandEnd shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  CommandEnd end;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) end.output += part.data();
  end.status = pclose(pipe);
  return end;
}

std::string contentOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Installed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder();
    end_ = shell("cmake --install '" SLIPSTREAM_BUILD "' --prefix '" + folder_->path().string() + "'");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  void SetUp() override { ASSERT_EQ(end_.status, 0) << end_.output; }

  static fs::path prefix() { return folder_->path(); }
  static fs::path documents() { return prefix() / "share/doc/slipstream"; }

 private:
  static test::TemporaryFolder* folder_;
  static CommandEnd end_;
};

test::TemporaryFolder* Installed::folder_ = nullptr;
CommandEnd Installed::end_;

TEST_F(Installed, ProgramsStart) {
  for (const std::string program : {"slipstream", "slipstream-desktop"}) {
    const CommandEnd end = shell("QT_QPA_PLATFORM=offscreen '" + (prefix() / "bin" / program).string() + "' --version");
    EXPECT_EQ(end.status, 0) << program << ": " << end.output;
  }
}

TEST_F(Installed, TheWorkerNeedsNoLibraryOfCuda) {
  const CommandEnd end = shell("ldd '" + (prefix() / "bin/slipstream-worker").string() + "'");
  ASSERT_NE(end.output.find("libmpi"), std::string::npos) << end.output;
  for (const char* library : {"libcuda", "libcudart", "libcudnn", "libnccl", "libcublas"}) {
    EXPECT_EQ(end.output.find(library), std::string::npos) << end.output;
  }
}

// As its README says, with the flags that pkg-config gives; asked, it describes its tensors.
TEST_F(Installed, AProgramInCIsBuiltAgainstTheLibrary) {
  const std::string where =
      "d='" + prefix().string() + "' && export PKG_CONFIG_PATH=$(dirname $(find \"$d\" -name slipstream.pc))";
  const CommandEnd built = shell(
      where + " && cc -std=c99 -pedantic -Wall -Werror -O2 '" SLIPSTREAM_SOURCE
              "/experiments/own_network/softmax.c' -o \"$d/softmax\" $(pkg-config --cflags --libs slipstream) -lm");
  ASSERT_EQ(built.status, 0) << built.output;
  const CommandEnd run = shell(where +
                               " && mkdir \"$d/asked\" && echo '{}' > \"$d/asked/experiment.json\" && "
                               "SLIPSTREAM_DESCRIBE=\"$d/asked\" \"$d/softmax\"");
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_NE(contentOf(prefix() / "asked/tensors.json").find("softmax.weight"), std::string::npos);
}

TEST_F(Installed, ExamplesAreAcceptedAndTheirSchemaIsThere) {
  const std::regex schemaKey(R"re("\$schema": "([^"]+)")re");
  int schemas = 0;
  for (const auto& entry : fs::directory_iterator(prefix() / "share/slipstream/experiments")) {
    if (entry.path().extension() != ".json") continue;
    const CommandEnd end =
        shell("'" + (prefix() / "bin/slipstream").string() + "' check '" + entry.path().string() + "'");
    EXPECT_TRUE(WIFEXITED(end.status)) << end.output;
    EXPECT_EQ(end.output.find("not a known key"), std::string::npos) << end.output;
    const std::string text = contentOf(entry.path());
    std::smatch match;
    if (!std::regex_search(text, match, schemaKey)) continue;
    EXPECT_TRUE(fs::exists(entry.path().parent_path() / match[1].str())) << entry.path();
    ++schemas;
  }
  EXPECT_GT(schemas, 0);
}

TEST_F(Installed, TheReaderInPythonIsFoundAndBringsNothingElse) {
  const fs::path packages = prefix() / "lib/python3/dist-packages";
  const CommandEnd end = shell("PYTHONPATH='" + packages.string() +
                               "' " SLIPSTREAM_PYTHON
                               " -B -c 'import slipstream; print(slipstream.__file__, slipstream.default_folder())'");
  EXPECT_EQ(end.status, 0) << end.output;
  EXPECT_EQ(end.output.find((packages / "slipstream/__init__.py").string()), 0U) << end.output;
  for (const auto& entry : fs::directory_iterator(packages / "slipstream")) {
    EXPECT_EQ(entry.path().extension(), ".py") << entry.path();
  }
  EXPECT_TRUE(fs::is_symlink(packages / "slipstream")) << "one package, which programs are given, too";
  EXPECT_TRUE(fs::exists(prefix() / "share/slipstream/python/slipstream/training.py"));
}

TEST_F(Installed, LicenceManualPagesAndChangesAreThere) {
  for (const char* file :
       {"share/doc/slipstream/LICENSE", "share/doc/slipstream/copyright", "share/doc/slipstream/changelog.gz",
        "share/doc/slipstream/README.md", "share/man/man1/slipstream.1.gz", "share/man/man1/slipstream-desktop.1.gz"}) {
    EXPECT_TRUE(fs::exists(prefix() / file)) << file;
  }
}

TEST_F(Installed, LinksBetweenDocumentsHold) {
  const std::regex link(R"re(\]\(([^)#: ]+\.(?:md|png))(?:#[^)]*)?\))re");
  int links = 0;
  for (const auto& entry : fs::recursive_directory_iterator(documents())) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = contentOf(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const fs::path target = entry.path().parent_path() / (*at)[1].str();
      EXPECT_TRUE(fs::exists(target)) << entry.path() << " names " << (*at)[1];
      ++links;
    }
  }
  EXPECT_GT(links, 10);
}

}  // namespace
}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop's program needs, says without a display, and tells the system about itself.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace slipstream {
namespace {

const std::filesystem::path resources = std::filesystem::path(SLIPSTREAM_SOURCE) / "resources";

struct Answer {
  int exitCode = 0;
  std::string output;
};

Answer answerOf(const std::string& command) {
  Answer answer;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) answer.output += part.data();
  answer.exitCode = WEXITSTATUS(pclose(pipe));
  return answer;
}

std::string program(const std::string& name) {
  return "'" + (std::filesystem::path(SLIPSTREAM_BUILD) / "bin" / name).string() + "'";
}

std::string textOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(DesktopProgram, NeedsNoMpiCudaOrOneDnn) {
  const std::string libraries = answerOf("ldd " + program("slipstream-desktop")).output;
  ASSERT_NE(libraries.find("libQt6Widgets"), std::string::npos) << libraries;
  for (const char* name : {"libmpi", "libopen-rte", "libcuda", "libcudart", "libdnnl"}) {
    EXPECT_EQ(libraries.find(name), std::string::npos) << libraries;
  }
}

TEST(DesktopProgram, TellsItsVersionWithoutADisplay) {
  const Answer plain = answerOf("env -u DISPLAY -u WAYLAND_DISPLAY " + program("slipstream-desktop") + " --version");
  EXPECT_EQ(plain.exitCode, 0);
  EXPECT_TRUE(plain.output.starts_with("slipstream-desktop ")) << plain.output;
  const Answer offscreen = answerOf("QT_QPA_PLATFORM=offscreen " + program("slipstream-desktop") + " --version");
  EXPECT_EQ(offscreen.output, plain.output);
}

TEST(DesktopProgram, NamesTheCommandLineWhereThereIsNoDisplay) {
  const Answer answer =
      answerOf("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM " + program("slipstream-desktop"));
  EXPECT_EQ(answer.exitCode, 2);
  EXPECT_NE(answer.output.find("no display"), std::string::npos) << answer.output;
  EXPECT_NE(answer.output.find("slipstream --help"), std::string::npos) << answer.output;
}

TEST(DesktopProgram, RefusesFlagsThatItDoesNotKnow) {
  const Answer answer = answerOf(program("slipstream-desktop") + " --colour");
  EXPECT_EQ(answer.exitCode, 2);
  EXPECT_NE(answer.output.find("colour"), std::string::npos) << answer.output;
}

/// What it says where it refuses to start, at most one line and its end.
void expectRefusal(const std::string& arguments, const std::vector<std::string>& words) {
  const Answer answer = answerOf("QT_QPA_PLATFORM=offscreen " + program("slipstream-desktop") + " " + arguments);
  EXPECT_EQ(answer.exitCode, 2) << answer.output;
  for (const std::string& word : words) EXPECT_NE(answer.output.find(word), std::string::npos) << answer.output;
  EXPECT_FALSE(answer.output.ends_with("\n\n")) << answer.output;
}

TEST(DesktopProgram, RefusalsNameTheirPlace) {
  expectRefusal("--store ''", {"--store"});
  expectRefusal("--store /proc/none", {"/proc/none"});
  expectRefusal("/nowhere/at_all.json", {"/nowhere/at_all.json"});
}

TEST(DesktopProgram, OpensOneExperimentAWindow) {
  const std::string folder = std::string(SLIPSTREAM_SOURCE) + "/experiments/";
  expectRefusal("'" + folder + "quickstart.json' '" + folder + "adasum_mnist_8.json'",
                {"adasum_mnist_8.json", "quickstart.json"});
}

TEST(DesktopProgram, ADisplayThatLeadsNowhereIsNoCrash) {
  const Answer answer =
      answerOf("env -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM DISPLAY=:987 " + program("slipstream-desktop"));
  EXPECT_EQ(answer.exitCode, 2) << answer.output;
  EXPECT_NE(answer.output.find("slipstream --help"), std::string::npos) << answer.output;
}

TEST(DesktopProgram, ItsEntryAndMetadataAreValid) {
  const std::string name = "org.slipstream.Slipstream";
  const Answer entry =
      answerOf("desktop-file-validate '" + (resources / "desktop" / (name + ".desktop")).string() + "'");
  EXPECT_EQ(entry.exitCode, 0) << entry.output;
  const Answer metadata = answerOf("appstreamcli validate --no-net --no-color '" +
                                   (resources / "desktop" / (name + ".metainfo.xml")).string() + "'");
  EXPECT_EQ(metadata.exitCode, 0) << metadata.output;
}

/// A command that the manual does not name is a command that nobody finds.
TEST(ManualPages, NameEveryCommand) {
  const std::string help = answerOf(program("slipstream") + " --help").output;
  const std::string manual = std::regex_replace(textOf(resources / "man/slipstream.1"), std::regex(R"(\\)"), "");
  const std::string commands =
      help.substr(help.find("Subcommands:"), help.find("Examples:") - help.find("Subcommands:"));
  const std::regex line(R"(\n  ([a-z-]+) )");
  int found = 0;
  for (std::sregex_iterator match(commands.begin(), commands.end(), line), end; match != end; ++match, ++found) {
    EXPECT_TRUE(std::regex_search(manual, std::regex("\\n\\.(BI|BR|B) \"?" + (*match)[1].str() + "\\b")))
        << (*match)[1] << " is not in resources/man/slipstream.1";
  }
  EXPECT_GT(found, 10) << help;
}

}  // namespace
}  // namespace slipstream

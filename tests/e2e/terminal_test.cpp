// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;

/// `slipstream ARGUMENTS` with a terminal of its own.
class InTerminal {
 public:
  explicit InTerminal(std::vector<std::string> words) {
    words.insert(words.begin(), SLIPSTREAM_BUILD "/bin/slipstream");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      // Tests that a shell has put into the background ignore the key, and pass that on.
      ::signal(SIGINT, SIG_DFL);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
  }
  ~InTerminal() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::close(terminal_);
  }
  InTerminal(const InTerminal&) = delete;
  InTerminal& operator=(const InTerminal&) = delete;

  /// What it shows until `word` is among it, or until it has ended.
  std::string readUntil(const std::string& word) {
    std::string shown;
    std::array<char, 1024> part{};
    while (shown.find(word) == std::string::npos) {
      const ssize_t count = ::read(terminal_, part.data(), part.size());
      if (count <= 0) break;
      shown.append(part.data(), static_cast<std::size_t>(count));
    }
    return shown;
  }
  void press(char key) const { ASSERT_EQ(::write(terminal_, &key, 1), 1); }

 private:
  pid_t process_ = 0;
  int terminal_ = -1;
};

constexpr char controlC = 3;

TEST(Terminal, AfterCtrlCTheMessageStandsOnALineOfItsOwn) {
  Sandbox sandbox;
  const std::string file = sandbox.write("long.json", smallExperiment(100'000'000, 0));
  InTerminal terminal({"run", file, "--store", sandbox.storeFolder().string()});
  ASSERT_THAT(terminal.readUntil(" left"), testing::HasSubstr("samples/s")) << "a progress bar";
  terminal.press(controlC);
  const std::string shown = terminal.readUntil("nothing that it says");
  EXPECT_THAT(shown, testing::ContainsRegex("\nrun [0-9a-f]+ stopped: stopped after step")) << shown;
  EXPECT_EQ(sandbox.store()->runs().back().state, RunState::stopped);
}

}  // namespace
}  // namespace slipstream

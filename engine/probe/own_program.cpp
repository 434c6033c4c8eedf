// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/own_program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/probe/delayed_signals.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t linesShown = 8;
constexpr int notStarted = 127;

/// The first that is there of places beside this program: of a build, of an installation.
std::string besideProgram(std::initializer_list<const char*> places) {
  for (const char* place : places) {
    const fs::path path = fs::weakly_canonical(programFolder() / place);
    if (std::error_code error; fs::exists(path, error)) return path.string();
  }
  return "";
}

void putInFront(const char* variable, const std::string& folder) {
  const auto before = environment(variable);
  ::setenv(variable, (before ? folder + ":" + *before : folder).c_str(), 1);
}

void nameOurParts() {
  const std::string library = besideProgram({"../lib/libslipstream.so", "../" SLIPSTREAM_LIBDIR "/libslipstream.so"});
  if (!library.empty()) ::setenv("SLIPSTREAM_LIBRARY", library.c_str(), 1);
  const std::string python = besideProgram({"../share/slipstream/python"});
  if (!python.empty()) putInFront("PYTHONPATH", python);
}

std::string commandOf(const OwnProgram& program) {
  return printable(join(program.words, " "));
}

/// A folder of its own that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "slipstream-describe-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// In the child. Its output goes to a file, so that a program that prints much waits for nobody.
[[noreturn]] void describeInChild(const OwnProgram& program, const fs::path& folder) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int output = ::open((folder / "output").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  ::setenv(describeVariable, folder.c_str(), 1);
  const std::string failed = toText(becomeProgram(program));
  const auto written = ::write(2, failed.data(), failed.size());
  static_cast<void>(written);
  ::_exit(notStarted);
}

/// How it ended; nothing where it was killed because it took too long, or this process is to end.
std::optional<int> endOf(pid_t child, double seconds) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > limit || DelayedSignals::came()) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(-child, SIGKILL);  // what it may have left
  return status;
}

std::string lastOutput(const fs::path& folder) {
  const auto text = readFile(folder / "output");
  if (!text || trim(*text).empty()) return "it printed nothing";
  auto lines = split(trim(*text), '\n');
  if (lines.size() > linesShown) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(linesShown));
  for (std::string& line : lines) line = printable(line);
  return "its last output was: " + join(lines, " | ");
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

constexpr const char* remedy =
    "try it by itself in that folder: it has to join (slipstream_join, slipstream.join) and to describe its tensors "
    "(slipstream_describe, rank.wrap) before anything that takes long";

}  // namespace

Failures becomeProgram(const OwnProgram& program) {
  if (::chdir(program.folder.c_str()) != 0) {
    return {{"network.program", program.folder, fmt::format("is no folder to run in: {}", std::strerror(errno)),
             "put the experiment where its program is"}};
  }
  nameOurParts();
  std::vector<char*> words;
  for (const std::string& word : program.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  return {{"network.program", commandOf(program),
           fmt::format("cannot be started in {}: {}", program.folder, std::strerror(errno)),
           "name a program by its path from the experiment's folder (./train), or one that PATH has (python3)"}};
}

Result<std::string> askForTensors(const OwnProgram& program, const std::string& experiment, double seconds) {
  const DelayedSignals untilRemoved;
  const TemporaryFolder folder;
  const std::string command = commandOf(program);
  if (folder.path().empty() || !writeFile(folder.path() / askedExperimentFile, experiment)) {
    return fail("network.program", command, "cannot be asked: there is no room for temporary files",
                "make room in " + fs::temp_directory_path().string());
  }
  const pid_t child = ::fork();
  if (child < 0) return fail("network.program", command, "cannot be asked: no process can be made", "end some");
  if (child == 0) describeInChild(program, folder.path());
  const auto status = endOf(child, seconds);
  if (!status && DelayedSignals::came()) return fail("network.program", command, "was not asked: interrupted", "");
  if (!status) {
    return fail("network.program", command,
                fmt::format("did not describe its tensors within {:.0f} s; {}", seconds, lastOutput(folder.path())),
                remedy);
  }
  auto tensors = readFile(folder.path() / describedTensorsFile);
  if (tensors) return *tensors;
  if (*status == notStarted << 8) {
    return fail("network.program", command, "did not start: " + lastOutput(folder.path()),
                "name a program by its path from the experiment's folder (./train), or one that PATH has (python3)");
  }
  return fail("network.program", command,
              fmt::format("{} before it described its tensors; {}", howItEnded(*status), lastOutput(folder.path())),
              remedy);
}

}  // namespace slipstream

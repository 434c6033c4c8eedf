// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/commands.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/hosts/process.h"

extern char** environ;

namespace slipstream {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds answerWithin{15};
constexpr std::chrono::milliseconds pause{5};

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

/// Files without a name carry input and output, so that neither side can block the other.
File unnamedFile() {
  File file(std::tmpfile());
  if (!file) throw Error("no room for a temporary file");
  return file;
}

std::string contentOf(FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), file)) text.append(part.data(), read);
  return text;
}

/// Nothing where it had to be killed.
std::optional<int> exitCodeOf(pid_t process) {
  int status = 0;
  for (const auto until = Clock::now() + answerWithin; Clock::now() < until; std::this_thread::sleep_for(pause)) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) throw Error("lost a program of Slurm");
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return std::nullopt;
}

/// Slurm tells every process of a job to terminate, also the one that has just asked it to.
class KeepsOn {
 public:
  KeepsOn() {
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~KeepsOn() { ::posix_spawnattr_destroy(&attributes_); }
  KeepsOn(const KeepsOn&) = delete;
  KeepsOn& operator=(const KeepsOn&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t start(const std::string& program, std::vector<std::string> words, FILE* in, FILE* out, FILE* errors) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(errors), STDERR_FILENO);
  pid_t process = 0;
  const KeepsOn keepsOn;
  const int problem = ::posix_spawn(&process, program.c_str(), &actions, keepsOn.get(), argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error("cannot start " + program + ": " + std::generic_category().message(problem));
  return process;
}

/// Without the program's own name, which the failure has already.
std::string lastWords(const std::string& name, const std::string& errors) {
  std::string last = trim(split(trim(errors), '\n').back());
  for (const std::string& prefix : {name + ": ", std::string("error: ")}) {
    if (startsWith(last, prefix)) last.erase(0, prefix.size());
  }
  return last;
}

}  // namespace

Result<std::string> slurmSays(const std::vector<std::string>& words, const std::string& input) {
  const std::string& name = words.at(0);
  SLIPSTREAM_TRY(program, findProgram(name, "use a machine that has Slurm (on Debian: apt-get install slurm-client)"));
  const File in = unnamedFile();
  const File out = unnamedFile();
  const File errors = unnamedFile();
  std::fwrite(input.data(), 1, input.size(), in.get());
  std::fflush(in.get());
  std::rewind(in.get());
  const auto exitCode = exitCodeOf(start(program.string(), words, in.get(), out.get(), errors.get()));
  if (exitCode == 0) return contentOf(out.get());
  if (!exitCode) {
    return fail(name, "", fmt::format("does not answer within {} s", answerWithin.count()),
                "try again when Slurm's controller answers (scontrol ping)");
  }
  const std::string last = lastWords(name, contentOf(errors.get()));
  return fail(name, "", last.empty() ? fmt::format("ended with exit code {}", *exitCode) : last, "");
}

}  // namespace slipstream

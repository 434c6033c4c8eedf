// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/ask_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"

extern char** environ;

namespace slipstream {
namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using StdFile = std::unique_ptr<FILE, CloseFile>;

/// Files without a name carry input and output, so that neither side can block the other.
StdFile unnamedFile() {
  StdFile file(std::tmpfile());
  if (!file) throw Error("no room for a temporary file");
  return file;
}

StdFile inputOf(const std::string& text, const std::filesystem::path& path) {
  if (!path.empty()) {
    StdFile file(std::fopen(path.c_str(), "rbe"));
    if (!file) throw Error(path.string() + " cannot be read: " + std::generic_category().message(errno));
    return file;
  }
  StdFile file = unnamedFile();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0) {
    throw Error("no room for a temporary file");
  }
  std::rewind(file.get());
  return file;
}

std::string contentOf(FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), file)) text.append(part.data(), read);
  return text;
}

int exitCodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int waitFor(pid_t process, const std::string& program) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error("lost the program " + program);
  }
  return exitCodeOf(status);
}

/// Nothing where it had to be killed.
std::optional<int> waitFor(pid_t process, const std::string& program, std::chrono::seconds limit) {
  constexpr std::chrono::milliseconds pause{5};
  const auto until = std::chrono::steady_clock::now() + limit;
  for (int status = 0; std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(pause)) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return exitCodeOf(status);
    if (ended < 0 && errno != EINTR) throw Error("lost the program " + program);
  }
  ::kill(process, SIGKILL);
  waitFor(process, program);
  return std::nullopt;
}

class Attributes {
 public:
  explicit Attributes(bool keepsOn) {
    ::posix_spawnattr_init(&attributes_);
    if (!keepsOn) return;
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t start(const AskedProgram& asked, FILE* in, FILE* out, FILE* errors) {
  std::vector<std::string> words = asked.words;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(errors), STDERR_FILENO);
  pid_t process = 0;
  const Attributes attributes(asked.keepsOn);
  const int problem = ::posix_spawnp(&process, argv.front(), &actions, attributes.get(), argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return process;
  throw Error("cannot start " + words.front() + ": " + std::generic_category().message(problem));
}

}  // namespace

ProgramAnswer askProgram(const AskedProgram& asked) {
  const StdFile in = inputOf(asked.input, asked.inputFile);
  const StdFile out = unnamedFile();
  const StdFile errors = unnamedFile();
  const pid_t process = start(asked, in.get(), out.get(), errors.get());
  const std::string& name = asked.words.front();
  const auto exitCode = asked.limit ? waitFor(process, name, *asked.limit) : waitFor(process, name);
  return {exitCode.value_or(128 + SIGKILL), contentOf(out.get()), contentOf(errors.get()), exitCode.has_value()};
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/ask_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
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

/// The streams of a program; out and errors are null where they are ours.
struct Streams {
  StdFile in;
  StdFile out;
  StdFile errors;
};

/// Bytes that it has read and written. Its descriptors share their positions with ours.
std::int64_t movedBytes(const Streams& streams) {
  std::int64_t bytes = std::max<std::int64_t>(0, ::lseek(::fileno(streams.in.get()), 0, SEEK_CUR));
  for (const StdFile* file : {&streams.out, &streams.errors}) {
    struct stat status {};
    if (*file && ::fstat(::fileno(file->get()), &status) == 0) bytes += status.st_size;
  }
  return bytes;
}

/// Tells when a program has to be killed.
class Limits {
 public:
  Limits(const AskedProgram& asked, const Streams& streams) : asked_(asked), streams_(streams) {}

  bool none() const { return !asked_.limit && !asked_.silence; }
  bool arePassed() {
    const auto now = Clock::now();
    if (asked_.limit && now - begun_ >= *asked_.limit) return true;
    if (!asked_.silence) return false;
    if (const std::int64_t moved = movedBytes(streams_); moved != moved_) {
      moved_ = moved;
      movedAt_ = now;
    }
    return now - movedAt_ >= *asked_.silence;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const AskedProgram& asked_;
  const Streams& streams_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point movedAt_ = begun_;
  std::int64_t moved_ = 0;
};

int waitFor(pid_t process, const std::string& program) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error("lost the program " + program);
  }
  return exitCodeOf(status);
}

/// Nothing where it had to be killed.
std::optional<int> waitFor(pid_t process, const std::string& program, Limits limits) {
  if (limits.none()) return waitFor(process, program);
  constexpr std::chrono::milliseconds pause{5};
  for (int status = 0; !limits.arePassed(); std::this_thread::sleep_for(pause)) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return exitCodeOf(status);
    if (ended < 0 && errno != EINTR) throw Error("lost the program " + program);
  }
  ::kill(process, SIGKILL);
  waitFor(process, program);
  return std::nullopt;
}

/// A pipe that nobody reads any more ends the program, as it ends any; we ignore that ourselves.
class Attributes {
 public:
  explicit Attributes(bool keepsOn) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t standard;
    ::sigemptyset(&standard);
    ::sigaddset(&standard, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &standard);
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    const int masks = keepsOn ? POSIX_SPAWN_SETSIGMASK : 0;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGDEF | masks));
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t start(const AskedProgram& asked, const Streams& streams) {
  std::vector<std::string> words = asked.words;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(streams.in.get()), STDIN_FILENO);
  if (streams.out) posix_spawn_file_actions_adddup2(&actions, ::fileno(streams.out.get()), STDOUT_FILENO);
  if (streams.errors) posix_spawn_file_actions_adddup2(&actions, ::fileno(streams.errors.get()), STDERR_FILENO);
  pid_t process = 0;
  const Attributes attributes(asked.keepsOn);
  const int problem = ::posix_spawnp(&process, argv.front(), &actions, attributes.get(), argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return process;
  throw Error("cannot start " + words.front() + ": " + std::generic_category().message(problem));
}

/// The exit code; nothing where it had to be killed.
std::optional<int> run(const AskedProgram& asked, const Streams& streams) {
  const pid_t process = start(asked, streams);
  return waitFor(process, asked.words.front(), Limits(asked, streams));
}

}  // namespace

ProgramAnswer askProgram(const AskedProgram& asked) {
  const Streams streams{inputOf(asked.input, asked.inputFile), unnamedFile(), unnamedFile()};
  const auto exitCode = run(asked, streams);
  return {exitCode.value_or(128 + SIGKILL), contentOf(streams.out.get()), contentOf(streams.errors.get()),
          exitCode.has_value()};
}

int passProgram(const AskedProgram& asked) {
  std::fflush(nullptr);
  const Streams streams{inputOf(asked.input, asked.inputFile), nullptr, nullptr};
  return run(asked, streams).value_or(128 + SIGKILL);
}

std::string lateText(const AskedProgram& asked) {
  if (asked.silence) return fmt::format("has been silent for {} s", asked.silence->count());
  return fmt::format("does not answer within {} s", asked.limit.value_or(std::chrono::seconds{0}).count());
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/detach.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/launch/failure_cause.h"

namespace slipstream {
namespace {

void leaveTerminal(int output) {
  ::setsid();
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
}

[[noreturn]] void live(int announcements, const std::function<int(const Announce&)>& body) {
  int code = 1;
  try {
    code = body([announcements](const std::string& text) {
      if (::write(announcements, text.data(), text.size()) < 0) std::fputs("nobody waits for the run's id\n", stderr);
      ::close(announcements);
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "slipstream: %s\n", error.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

int exitCodeOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error("lost the detached run");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string readAll(int file) {
  std::string text;
  std::array<char, 256> part{};
  while (true) {
    const ssize_t count = ::read(file, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

DetachedStart runDetached(const std::filesystem::path& outputFile, const std::function<int(const Announce&)>& body) {
  const int output = ::open(outputFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  std::array<int, 2> pipe{};
  if (output < 0 || ::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw Error(fmt::format("{} cannot be opened for the detached run", outputFile.string()));
  }
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Error("no process for the detached run");
  if (child == 0) {
    ::close(pipe[0]);
    leaveTerminal(output);
    live(pipe[1], body);
  }
  ::close(pipe[1]);
  ::close(output);
  const std::string announced = readAll(pipe[0]);
  ::close(pipe[0]);
  if (!announced.empty()) return {announced, 0, ""};
  return {"", exitCodeOf(child), endOfFile(outputFile)};
}

}  // namespace slipstream

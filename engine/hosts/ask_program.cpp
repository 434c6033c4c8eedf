// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/ask_program.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

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

int waitFor(pid_t process, const std::string& program) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error("lost the program " + program);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramAnswer askProgram(const std::vector<std::string>& words, const std::string& input,
                         const std::filesystem::path& inputFile) {
  std::vector<std::string> arguments = words;
  std::vector<char*> argv;
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);

  const StdFile in = inputOf(input, inputFile);
  const StdFile out = unnamedFile();
  const StdFile errors = unnamedFile();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(errors.get()), STDERR_FILENO);
  pid_t process = 0;
  const int problem = ::posix_spawnp(&process, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error("cannot start " + words.front() + ": " + std::generic_category().message(problem));

  const int exitCode = waitFor(process, words.front());
  return {exitCode, contentOf(out.get()), contentOf(errors.get())};
}

}  // namespace slipstream

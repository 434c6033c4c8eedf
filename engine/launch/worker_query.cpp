// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/worker_query.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"

extern char** environ;

namespace slipstream {
namespace {

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

int waitFor(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error("lost the worker program");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::filesystem::path workerProgram() {
  return programFolder() / "slipstream-worker";
}

WorkerAnswer askWorker(const std::vector<std::string>& arguments, const std::string& input) {
  const std::string program = workerProgram().string();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const File in = unnamedFile();
  const File out = unnamedFile();
  const File errors = unnamedFile();
  std::fwrite(input.data(), 1, input.size(), in.get());
  std::fflush(in.get());
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(errors.get()), STDERR_FILENO);
  pid_t process = 0;
  const int problem = ::posix_spawn(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw Error("cannot start " + program + ": " + std::generic_category().message(problem));

  const int exitCode = waitFor(process);
  return {exitCode, contentOf(out.get()), contentOf(errors.get())};
}

}  // namespace slipstream

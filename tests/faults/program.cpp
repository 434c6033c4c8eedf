// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/program.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"

namespace slipstream::test {
namespace {

std::filesystem::path outputFile(const std::filesystem::path& folder, const char* stream) {
  static std::atomic<int> number = 0;
  return folder / (std::string(stream) + std::to_string(++number));
}

[[noreturn]] void execute(const std::vector<char*>& words, const std::string& output, const std::string& errors,
                          const ProgramSettings& settings) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  if (settings.fileLimit > 0) {
    const auto bytes = static_cast<rlim_t>(settings.fileLimit);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  for (const auto& [name, value] : settings.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::execv(words[0], words.data());
  ::_exit(127);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const ProgramSettings& settings)
    : output_(outputFile(folder, "output")), errors_(outputFile(folder, "errors")) {
  std::vector<std::string> texts = settings.through;
  if (!settings.name.empty()) texts.push_back((programFolder() / settings.name).string());
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(texts.front() + " cannot be started");
  if (pid_ == 0) execute(words, output_.string(), errors_.string(), settings);
}

Program::~Program() {
  if (!hasEnded()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove(output_, ignored);
  std::filesystem::remove(errors_, ignored);
}

bool Program::hasEnded() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_.has_value();
}

bool Program::endsWithin(double seconds) {
  const Stopwatch watch;
  while (!hasEnded() && watch.seconds() < seconds) std::this_thread::sleep_for(std::chrono::milliseconds{2});
  return hasEnded();
}

std::string Program::output() const {
  return readFile(output_).value_or("");
}

ProgramResult Program::end(double seconds) {
  ProgramResult result;
  result.inTime = endsWithin(seconds);
  if (!result.inTime) {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    status_ = status;
  }
  result.exitCode = WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 128 + WTERMSIG(*status_);
  result.output = output();
  result.errors = readFile(errors_).value_or("");
  return result;
}

ProgramResult runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                         double seconds) {
  return Program(arguments, folder).end(seconds);
}

}  // namespace slipstream::test

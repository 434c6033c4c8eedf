// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "engine/store/checkpoint_store.h"

extern char** environ;

namespace slipstream::test {
namespace {

/// Marks what a sandbox has started: other tests have copies of the same store, and runs of the same ids.
constexpr const char* sandboxVariable = "SLIPSTREAM_TEST_SANDBOX";

std::string markOf(const std::filesystem::path& folder) {
  return std::string(sandboxVariable) + "=" + folder.string();
}

/// This process's environment with `mark` in it; the pointers live as long as both.
std::vector<char*> environmentWith(std::string& mark) {
  std::vector<char*> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.push_back(*entry);
  entries.push_back(mark.data());
  entries.push_back(nullptr);
  return entries;
}

}  // namespace

Sandbox::Sandbox() {
  std::string text = (std::filesystem::temp_directory_path() / "slipstream-sandbox-XXXXXX").string();
  if (::mkdtemp(text.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = text;
}

Sandbox::~Sandbox() {
  if (process_ != 0 && !hasEnded()) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  killProcessesWith(sandboxVariable, folder_.string());
  removeAbandonedFolders();
  std::error_code ignored;  // of a supervisor that still ends
  std::filesystem::remove_all(folder_, ignored);
}

void Sandbox::start(const std::vector<std::string>& arguments) {
  std::signal(SIGINT, SIG_DFL);  // a shell that starts the tests in the background has them ignore it
  std::vector<std::string> words{SLIPSTREAM_BUILD "/bin/slipstream"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  // What follows two dashes is no option.
  words.insert(std::find(words.begin(), words.end(), "--"), {"--store", storeFolder().string()});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&actions, 1, (folder_ / "output").c_str(), flags, 0644);
  ::posix_spawn_file_actions_addopen(&actions, 2, (folder_ / "errors").c_str(), flags, 0644);
  status_.reset();
  std::string mark = markOf(folder_);
  std::vector<char*> entries = environmentWith(mark);
  const int failed = ::posix_spawn(&process_, words[0].c_str(), &actions, nullptr, pointers.data(), entries.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("slipstream cannot be started");
}

bool Sandbox::hasEnded() {
  int status = 0;
  if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) status_ = status;
  return status_.has_value();
}

ProgramEnd Sandbox::end(double seconds) {
  const Stopwatch watch;
  while (!hasEnded() && watch.seconds() < seconds) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  if (!hasEnded()) {
    ADD_FAILURE() << "slipstream still runs after " << seconds << " s";
    ::kill(process_, SIGKILL);
    int status = 0;
    ::waitpid(process_, &status, 0);
    status_ = status;
  }
  const int code = WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 128 + WTERMSIG(*status_);
  return {code, readFile(folder_ / "output").value_or(""), readFile(folder_ / "errors").value_or("")};
}

ProgramEnd Sandbox::slipstream(const std::vector<std::string>& arguments, double seconds) {
  start(arguments);
  return end(seconds);
}

nlohmann::json Sandbox::json(const std::vector<std::string>& arguments) {
  const ProgramEnd ended = slipstream(arguments);
  EXPECT_EQ(ended.exitCode, 0) << ended.errors;
  return nlohmann::json::parse(ended.output, nullptr, false);
}

std::string Sandbox::write(const std::string& name, const nlohmann::json& content) {
  const auto file = folder_ / name;
  if (!writeFile(file, content.dump(2))) throw std::runtime_error("cannot write " + file.string());
  return file.string();
}

std::unique_ptr<RunStore> Sandbox::store() const {
  return RunStore::open(storeFolder(), StoreAccess::read).value();
}

std::string Sandbox::newestState(const std::string& runId) const {
  const auto opened = CheckpointStore::openToRead(storeFolder(), runId);
  if (!opened) return "no checkpoint";
  const auto& checkpoints = *opened;
  const auto steps = checkpoints->steps();
  if (steps.empty()) return "no checkpoint";
  const CheckpointManifest manifest = *checkpoints->manifest(steps.back());
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : manifest.tensors) {
    hashes[tensor.name + "/" + std::to_string(tensor.shard)] = tensor.hash;
  }
  std::string text = "step " + std::to_string(manifest.step) + "\n";
  for (const auto& [name, hash] : hashes) text += name + "=" + hash + "\n";
  return text;
}

nlohmann::json smallExperiment(int steps, int checkpointEverySteps) {
  return {{"name", "small"},
          {"seed", 3},
          {"network",
           {{"layers",
             {{{"type", "flatten"}},
              {{"type", "dense"}, {"outputs", 24}},
              {{"type", "relu"}},
              {{"type", "dense"}, {"outputs", 10}}}}}},
          {"dataset", {{"name", "digits"}, {"batch_size", 16}, {"train_samples", 640}, {"evaluation_samples", 128}}},
          {"loss", "cross_entropy"},
          {"optimizer", {{"name", "momentum"}, {"momentum", 0.9}, {"learning_rate", 0.05}}},
          {"parallel", {{"ranks", 2}}},
          {"train",
           {{"steps", steps},
            {"log_every_steps", 10},
            {"checkpoint", {{"save_checkpoint_steps", checkpointEverySteps}, {"keep_checkpoint_max", 3}}}}}};
}

}  // namespace slipstream::test

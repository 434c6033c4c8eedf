// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/launch/supervised_run.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/hosts/run_folder.h"

extern char** environ;

namespace slipstream::test {
namespace {

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::filesystem::path> foldersOf(const std::string& runId) {
  std::vector<std::filesystem::path> found;
  for (const char* base : {"/tmp", "/dev/shm"}) {
    for (const auto& entry : std::filesystem::directory_iterator(base)) {
      if (entry.path().filename().string().find(runId) != std::string::npos) found.push_back(entry.path());
    }
  }
  return found;
}

}  // namespace

std::string nameOfProcess(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

SupervisedRun::SupervisedRun(const RunPlan& plan, const std::string& storeName) : storeName_(storeName) {
  std::string text = (std::filesystem::temp_directory_path() / "slipstream-launch-XXXXXX").string();
  if (::mkdtemp(text.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = text;
  store_ = *RunStore::open(storeFolder(), StoreAccess::write);
  NewRun run;
  run.planText = toJsonText(plan);
  run.ranks = plan.ranks();
  runId_ = store_->createRun(run);
}

SupervisedRun::~SupervisedRun() {
  if (supervisor_ != 0) {
    signalSupervisor(SIGKILL);
    ::waitpid(supervisor_, nullptr, 0);
  }
  killLeftoverProcesses(runId_);
  removeAbandonedFolders();
  std::filesystem::remove_all(folder_);
}

void SupervisedRun::start(const std::map<std::string, std::string>& environment, const std::vector<std::string>& more) {
  std::signal(SIGINT, SIG_DFL);  // a shell that starts the tests in the background has them ignore it
  std::vector<std::string> words{SLIPSTREAM_BUILD "/bin/supervisor_process", storeFolder().string(), runId_};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  const auto arguments = pointersTo(words);
  const auto pointers = pointersTo(variables);
  if (::posix_spawn(&supervisor_, words[0].c_str(), nullptr, nullptr, arguments.data(), pointers.data()) != 0) {
    throw std::runtime_error("no supervisor");
  }
}

bool SupervisedRun::waitUntil(const std::function<bool()>& condition, double seconds) {
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

bool SupervisedRun::waitForStep(std::int64_t step) {
  const auto reached = [&](int rank) {
    const auto steps = store_->rankSeries(runId_, "loss", rank).steps;
    return !steps.empty() && steps.back() >= step;
  };
  return waitUntil([&] {
    for (int rank = 0; rank < record().ranks; ++rank) {
      if (!reached(rank)) return false;
    }
    return true;
  });
}

RunRecord SupervisedRun::end(double seconds) {
  const bool ended = waitUntil([&] { return ::waitpid(supervisor_, nullptr, WNOHANG) == supervisor_; }, seconds);
  EXPECT_TRUE(ended) << "the supervisor still runs after " << seconds << " s";
  if (ended) supervisor_ = 0;
  store_->markLost();
  return record();
}

void SupervisedRun::signalSupervisor(int number) const {
  ::kill(supervisor_, number);
}

void SupervisedRun::signalMpirun(int number) {
  for (const pid_t process : processesOfRun(runId_)) {
    if (nameOfProcess(process) == "mpirun" || nameOfProcess(process) == "orterun") ::kill(process, number);
  }
}

void SupervisedRun::signalWorker(int number) {
  const auto processes = processesOfRun(runId_);
  const auto worker = std::find_if(processes.begin(), processes.end(),
                                   [](pid_t process) { return nameOfProcess(process) == "fake_worker"; });
  if (worker != processes.end()) ::kill(*worker, number);
}

RunRecord SupervisedRun::record() {
  return *store_->find(runId_);
}

void SupervisedRun::expectNothingLeft() {
  EXPECT_TRUE(waitUntil([&] { return processesOfRun(runId_).empty(); })) << "processes of the run are left";
  for (const auto& folder : foldersOf(runId_)) ADD_FAILURE() << folder << " is left";
}

std::string SupervisedRun::weightHash() {
  const auto checkpoints = *CheckpointStore::openToRead(storeFolder(), runId_);
  const auto steps = checkpoints->steps();
  if (steps.empty()) return "no checkpoint";
  const CheckpointManifest manifest = *checkpoints->manifest(steps.back());
  for (const TensorRecord& tensor : manifest.tensors) {
    if (tensor.name == "weight") return std::to_string(steps.back()) + ":" + tensor.hash;
  }
  return "no weight";
}

}  // namespace slipstream::test

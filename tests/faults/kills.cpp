// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/launch/run_folder.h"
#include "engine/launch/sweep.h"
#include "engine/record/checkpoint_store.h"
#include "engine/record/store_verify.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

constexpr int killSteps = 300;

constexpr double orphanSeconds = 10;
const std::vector<std::string> kinds{"plain", "sharded", "stages", "adasum"};
const std::vector<std::string> targets{"worker", "mpirun", "supervisor", "command line", "all"};

std::string nameOfProcess(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return name;
}

std::unique_ptr<RunStore> openStore(const std::filesystem::path& folder) {
  auto store = RunStore::open(folder, StoreAccess::read);
  return store ? std::move(*store) : nullptr;
}

/// Step and hash of every tensor of the newest checkpoint: equal texts are equal weights and state.
std::string newestState(const std::filesystem::path& store, const std::string& run) {
  const auto checkpoints = CheckpointStore::openToRead(store, run);
  if (!checkpoints || (*checkpoints)->steps().empty()) return "no checkpoint";
  const auto manifest = *(*checkpoints)->manifest((*checkpoints)->steps().back());
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : manifest.tensors)
    hashes[fmt::format("{}/{}", tensor.name, tensor.shard)] = tensor.hash;
  std::string text = fmt::format("step {}\n", manifest.step);
  for (const auto& [name, hash] : hashes) text += name + "=" + hash + "\n";
  return text;
}

/// What a reader of the store sees of the losses, by step.
std::map<std::int64_t, double> visibleLosses(RunStore& store, const std::string& run) {
  const Series series = store.series(run, "loss");
  std::map<std::int64_t, double> losses;
  for (std::size_t i = 0; i < series.steps.size(); ++i) losses[series.steps[i]] = series.values[i];
  return losses;
}

struct Reference {
  std::string state;
  std::map<std::int64_t, double> losses;
};

/// One trial after the other in stores of their own.
class KillTrials {
 public:
  explicit KillTrials(const TrialSettings& settings) : settings_(settings), random_(settings.seed) {}

  std::string tryOne(int number) {
    const std::string& kind = kinds[static_cast<std::size_t>(below(random_, static_cast<int>(kinds.size())))];
    const std::string& target = targets[static_cast<std::size_t>(below(random_, static_cast<int>(targets.size())))];
    const Reference& reference = referenceOf(kind);
    const auto store = settings_.folder / fmt::format("killed-{}", number);
    const std::string problem = killAndResume(kind, target, store, reference);
    std::filesystem::remove_all(store);
    return problem.empty() ? "" : fmt::format("{}, {} killed: {}", kind, target, problem);
  }

 private:
  std::string fileOf(const std::string& kind) const {
    const auto file = settings_.folder / (kind + ".json");
    if (!writeFile(file, smallTraining(kind, killSteps).dump(2))) throw std::runtime_error("no room for an experiment");
    return file.string();
  }

  const Reference& referenceOf(const std::string& kind) {
    const auto known = references_.find(kind);
    if (known != references_.end()) return known->second;
    const auto folder = settings_.folder / ("reference-" + kind);
    const Stopwatch watch;
    const auto ended =
        runProgram({"run", fileOf(kind), "--quiet", "--store", folder.string()}, settings_.folder, trainingSeconds);
    if (ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
    lengths_[kind] = watch.seconds();
    const auto store = openStore(folder);
    const std::string run = store->runs().back().id;
    return references_[kind] = {newestState(folder, run), visibleLosses(*store, run)};
  }

  std::string killAndResume(const std::string& kind, const std::string& target, const std::filesystem::path& folder,
                            const Reference& reference) {
    const bool detached = target == "supervisor";
    std::vector<std::string> words{"run", fileOf(kind), "--quiet", "--store", folder.string()};
    if (detached) words.emplace_back("--detach");
    Program program(words, settings_.folder);
    const std::string run = waitForRun(folder);
    if (run.empty()) return "no run came up";
    std::this_thread::sleep_for(std::chrono::duration<double>(lengths_[kind] * below(random_, 1000) * 1e-3));
    const auto store = openStore(folder);
    const auto before = visibleLosses(*store, run);
    if (!kill(target, run, *store, program)) waitForEnd(*store, run);
    if (!waitUntilGone(run)) return "processes are left after 10 s";
    program.end(settings_.patience);
    return checkAfter(folder, run, before, reference);
  }

  static std::string waitForRun(const std::filesystem::path& folder) {
    for (const Stopwatch watch; watch.seconds() < trainingSeconds;) {
      std::error_code error;
      if (std::filesystem::exists(folder / "store.db", error)) {
        const auto store = openStore(folder);
        if (store && !store->heads().empty() && store->heads().back().attempt > 0) return store->heads().back().id;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return "";
  }

  /// False where there was nothing to kill (any more, or yet).
  bool kill(const std::string& target, const std::string& run, RunStore& store, const Program& program) {
    const auto processes = processesOfRun(run);
    if (target == "supervisor" || target == "all") ::kill(supervisorOf(store, run), SIGKILL);
    if (target == "command line") ::kill(program.pid(), SIGKILL);
    if (target == "supervisor" || target == "command line") return true;
    std::vector<pid_t> victims;
    for (const pid_t process : processes) {
      const bool worker = nameOfProcess(process).starts_with("slipstream-work");
      if (target == "all" || (target == "worker" && worker) || (target == "mpirun" && !worker))
        victims.push_back(process);
    }
    if (target == "worker" && !victims.empty()) victims = {victims[random_() % victims.size()]};
    for (const pid_t process : victims) ::kill(process, SIGKILL);
    return target == "all" || !victims.empty();
  }

  static void waitForEnd(RunStore& store, const std::string& run) {
    for (const Stopwatch watch; watch.seconds() < trainingSeconds && !isTerminal(store.find(run)->state);) {
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  }

  /// Never a process that has taken over the number of one that has ended.
  static pid_t supervisorOf(RunStore& store, const std::string& run) {
    const ProcessIdentity supervisor = store.find(run)->supervisor;
    constexpr pid_t nobody = 1 << 30;
    return livenessOf(supervisor) == Liveness::alive ? static_cast<pid_t>(supervisor.pid) : nobody;
  }

  static bool waitUntilGone(const std::string& run) {
    for (const Stopwatch watch; watch.seconds() < orphanSeconds;) {
      if (processesOfRun(run).empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return false;
  }

  std::string checkAfter(const std::filesystem::path& folder, const std::string& run,
                         const std::map<std::int64_t, double>& before, const Reference& reference) const {
    const auto check = verifyStore(folder);
    if (!check) return toText(check.error());
    if (!check->problems.empty()) return "the store is damaged: " + toText(check->problems);
    {
      const auto store = openStore(folder);
      const auto after = visibleLosses(*store, run);
      for (const auto& [step, loss] : before) {
        const auto found = after.find(step);
        if (found == after.end()) return fmt::format("the loss of step {} was visible and is gone", step);
        if (found->second != loss)
          return fmt::format("the loss of step {} was {} and is {}", step, loss, found->second);
      }
      runProgram({"runs", "--store", folder.string()}, settings_.folder, settings_.patience);  // marks what is lost
      if (store->find(run)->state == RunState::done) return compare(folder, run, reference);
    }
    const auto resumed =
        runProgram({"resume", run, "--quiet", "--store", folder.string()}, settings_.folder, trainingSeconds);
    if (resumed.exitCode != 0) return fmt::format("resume: exit {}: {}", resumed.exitCode, resumed.errors);
    return compare(folder, run, reference);
  }

  static std::string compare(const std::filesystem::path& folder, const std::string& run, const Reference& reference) {
    const auto store = openStore(folder);
    if (newestState(folder, run) != reference.state) return "other weights than the run that was left alone";
    if (visibleLosses(*store, run) != reference.losses) return "other losses than the run that was left alone";
    return "";
  }

  const TrialSettings settings_;
  std::mt19937_64 random_;
  std::map<std::string, Reference> references_;
  std::map<std::string, double> lengths_;
};

/// Empty, or what went wrong.
std::string hangOne(const TrialSettings& settings, const std::filesystem::path& folder) {
  const auto file = settings.folder / "hang.json";
  if (!writeFile(file, smallTraining("plain", 1'000'000).dump(2))) return "no room for an experiment";
  Program program({"run", file.string(), "--quiet", "--store", folder.string()}, settings.folder);
  for (const Stopwatch watch; watch.seconds() < trainingSeconds && !program.hasEnded();) {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    std::error_code error;
    const auto store = std::filesystem::exists(folder / "store.db", error) ? openStore(folder) : nullptr;
    if (!store || store->heads().empty()) continue;
    const std::string run = store->heads().back().id;
    if (visibleLosses(*store, run).empty()) continue;
    for (const pid_t process : processesOfRun(run)) {
      if (!nameOfProcess(process).starts_with("slipstream-work")) continue;
      ::kill(process, SIGSTOP);
      const auto ended = program.end(settings.patience);
      if (!ended.inTime) return "the run does not end although a rank is stopped";
      const std::string why = store->find(run)->why;
      if (why.find("silent") == std::string::npos) return "the cause is not named: " + why;
      return processesOfRun(run).empty() ? "" : "processes are left";
    }
  }
  return "no rank came up";
}

template <class Try>
Tally repeat(const char* kind, int count, Try tryOne) {
  Tally tally;
  for (int number = 0; number < count; ++number) {
    ++tally.tried;
    const std::string problem = tryOne(number);
    if (problem.empty()) continue;
    ++tally.failed;
    tellFailure(kind, number, problem);
  }
  removeAbandonedFolders();
  return tally;
}

}  // namespace

Tally tryKills(const TrialSettings& settings, int count) {
  KillTrials trials(settings);
  return repeat("kill", count, [&](int number) { return trials.tryOne(number); });
}

Tally tryHangs(const TrialSettings& settings, int count) {
  return repeat("hang", count,
                [&](int number) { return hangOne(settings, settings.folder / fmt::format("hang-{}", number)); });
}

}  // namespace slipstream::test

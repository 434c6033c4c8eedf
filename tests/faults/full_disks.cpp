// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "engine/runs/store_verify.h"
#include "engine/store/run_store.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

constexpr int diskSteps = 200;

/// A place of `bytes`: a file system of its own where this user may mount one.
class SmallDisk {
 public:
  SmallDisk(std::filesystem::path folder, std::int64_t bytes) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    mounted_ = ::mount("slipstream-trial", folder_.c_str(), "tmpfs", 0, fmt::format("size={}", bytes).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool isMounted() const { return mounted_; }
  void enlarge() const {
    if (mounted_) ::mount("slipstream-trial", folder_.c_str(), "tmpfs", MS_REMOUNT, "size=64m");
  }

 private:
  std::filesystem::path folder_;
  bool mounted_;
};

/// What the store says must hold: a run that is done has the weights of its last step, one that is not says why.
std::string checkRuns(const std::filesystem::path& folder, const ProgramResult& ended) {
  std::error_code error;
  if (std::filesystem::file_size(folder / "store.db", error) == 0 || error) {
    return ended.exitCode == 2 ? "" : fmt::format("exit {} without a store", ended.exitCode);
  }
  const auto store = RunStore::open(folder, StoreAccess::read);
  if (!store) return ended.exitCode == 2 ? "" : toText(store.error());
  for (const RunRecord& run : (*store)->heads()) {
    const auto kept = (*store)->checkpoints(run.id);
    const bool whole = !kept.empty() && kept.back().step == diskSteps;
    if (run.state == RunState::done && !whole) return "done without its weights";
    if (run.state == RunState::done && ended.exitCode != 0) return "done, but not the command";
    if (run.state != RunState::done && ended.exitCode == 0)
      return "exit 0 of a run that is " + std::string(nameOf(run.state));
    if (!isTerminal(run.state)) return "left as " + std::string(nameOf(run.state));
    if (run.state == RunState::failed && run.why.empty()) return "failed without a cause";
  }
  return "";
}

/// `kinds`: counts the trials with a disk of their own, and those with a limit on every file.
std::string fillOne(const TrialSettings& settings, std::uint64_t seed, std::map<std::string, int>& kinds) {
  std::mt19937_64 random(seed);
  const auto folder = settings.folder / fmt::format("disk-{}", seed);
  constexpr int least = 100 << 10;
  constexpr int range = 3 << 20;
  const std::int64_t bytes = least + below(random, range);
  const SmallDisk disk(folder, bytes);
  ++kinds[disk.isMounted() ? "disk" : "file limit"];
  const auto file = settings.folder / "disk.json";
  if (!writeFile(file, smallTraining("plain", diskSteps).dump(2))) return "no room for an experiment";
  // Without a disk of its own a limit on every file does the same at the same moments.
  const std::int64_t limit = disk.isMounted() ? 0 : bytes / 4;
  const auto store = folder / "store";
  Program program({"run", file.string(), "--quiet", "--store", store.string()}, settings.folder, {limit});
  // A run whose store has no room waits for some: it gets it, or is asked to stop.
  constexpr double fullFor = 8;
  if (!program.endsWithin(fullFor)) {
    disk.enlarge();
    if (!disk.isMounted()) ::kill(program.pid(), SIGINT);
  }
  const ProgramResult ended = program.end(trainingSeconds);
  const std::string place =
      fmt::format("{} bytes ({}), exit {}", bytes, disk.isMounted() ? "disk" : "file limit", ended.exitCode);
  if (!ended.inTime) return place + ": does not end";
  constexpr int stopped = 130;
  if (ended.exitCode > 2 && ended.exitCode != stopped) return place + ": " + ended.errors;
  const std::string problem = checkRuns(store, ended);
  if (!problem.empty()) return place + ": " + problem + "; " + ended.errors;
  const ProgramResult list = runProgram({"runs", "--store", store.string()}, settings.folder, settings.timeout);
  const bool read = list.inTime && (list.exitCode == 0 || list.exitCode == 2);
  return read ? "" : fmt::format("{}: `runs`: exit {}: {}", place, list.exitCode, list.errors);
}

}  // namespace

void tryFullDisks(Tally& tally, const TrialSettings& settings, int count) {
  repeat(tally, settings, "disk", count,
         [&](std::uint64_t seed) { return fillOne(settings, seed, tally.counts["by_kind"]); });
  removeAbandonedFolders();
}

void tryTogether(Tally& tally, const TrialSettings& settings, int count) {
  const auto file = settings.folder / "together.json";
  const auto folder = settings.folder / "together";
  const Stopwatch watch;
  const auto failed = [&](const std::string& what) { addFailure(tally, {"together", settings.seed, what}); };
  if (!writeFile(file, smallTraining("plain", diskSteps).dump(2))) {
    tally.skipped = "no room for an experiment";
    return;
  }
  std::vector<std::unique_ptr<Program>> programs;
  for (int number = 0; number < count; ++number) {
    programs.push_back(std::make_unique<Program>(
        std::vector<std::string>{"run", file.string(), "--quiet", "--store", folder.string()}, settings.folder));
  }
  for (const auto& program : programs) {
    const ProgramResult ended = program->end(trainingSeconds * 2);
    if (ended.exitCode != 0) failed(ended.errors);
    ++tally.tried;
  }
  const auto check = verifyStore(folder);
  const bool sound = check && check->problems.empty() && check->runs == static_cast<std::size_t>(count);
  if (!sound) failed(check ? toText(check->problems) : toText(check.error()));
  tally.seconds = watch.seconds();
}

}  // namespace slipstream::test

// SPDX-License-Identifier: GPL-3.0-or-later
// From the command to the first loss that a reader of the store can see, against an mpirun that only initialises: eight
// ranks, alternating. The command line does everything that it always does: plans, checks the data, makes the run.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/store/run_store.h"
#include "tests/bench/bench_numbers.h"

extern char** environ;

namespace slipstream::bench {
namespace {

constexpr int repetitions = 7;

pid_t start(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawnp(&process, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
    throw Error("cannot start " + words[0]);
  return process;
}

void waitFor(pid_t process) {
  int status = 0;
  if (::waitpid(process, &status, 0) != process || status != 0) throw Error("a started program failed");
}

double initialiseOnly(const std::string& self) {
  const Stopwatch watch;
  waitFor(start({"mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl",
                 "self,vader,tcp", "-np", "8", self, "--initialise"}));
  return watch.seconds();
}

bool showsLoss(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "store.db")) return false;
  const auto store = RunStore::open(folder, StoreAccess::read);
  if (!store) return false;
  const auto run = (*store)->find("last");
  return run && !(*store)->series(run->id, "loss").steps.empty();
}

double untilFirstLoss(const std::filesystem::path& bin, const std::filesystem::path& folder, const std::string& file) {
  std::filesystem::remove_all(folder);
  const Stopwatch watch;
  const pid_t process = start({bin / "slipstream", "run", file, "--store", folder, "--quiet"});
  while (!showsLoss(folder)) {
    if (watch.seconds() > 60) throw Error("no loss in 60 s");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const double seconds = watch.seconds();
  waitFor(process);
  return seconds;
}

int measure() {
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("slipstream-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = folder / "tiny.json";
  const nlohmann::json tiny{{"name", "launch"},
                            {"network", "mlp"},
                            {"dataset", {{"name", "digits"}, {"train_samples", 2048}, {"evaluation_samples", 64}}},
                            {"parallel", {{"ranks", 8}}},
                            {"train", {{"steps", 40}}}};
  if (!writeFile(file, tiny.dump())) throw Error("no room for the experiment");
  std::vector<double> loss;
  std::vector<double> bare;
  for (int i = 0; i < repetitions; ++i) {
    bare.push_back(initialiseOnly(std::filesystem::read_symlink("/proc/self/exe")));
    loss.push_back(untilFirstLoss(programFolder(), folder / "store", file));
  }
  std::filesystem::remove_all(folder);
  std::printf("%s\n", nlohmann::json{{"bench", "launch to first committed loss"},
                                     {"ranks", 8},
                                     {"repetitions", repetitions},
                                     {"seconds", median(loss)},
                                     {"mpirun_initialise_and_leave_seconds", median(bare)},
                                     {"ratio", median(loss) / median(bare)}}
                          .dump()
                          .c_str());
  return 0;
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  if (count > 1 && std::string(values[1]) == "--initialise") {
    const slipstream::MpiJob job;
    return 0;
  }
  return slipstream::bench::measure();
}

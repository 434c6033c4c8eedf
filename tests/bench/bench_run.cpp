// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_run.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/devices/open_device.h"
#include "engine/hub/hub.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"
#include "tests/bench/rank_environment.h"

namespace slipstream::bench {
namespace {

class Silence final : public HubListener {
 public:
  void metrics(int, const MetricBlock&) override {}
  void event(const Event&) override {}
  void checkpoint(const CheckpointRow&) override {}
};

int beRank(const RankBody& body) {
  MpiJob job;
  const auto link = Link::connect(*linkAddressFromEnvironment(), job.world().rank());
  const nlohmann::json result = body(*link, job.world());
  if (job.world().rank() == 0 && !writeFile(environment("SLIPSTREAM_BENCH_RESULT").value(), result.dump() + "\n")) {
    throw Error("the result cannot be written");
  }
  link->finish(false, 0);
  return 0;
}

pid_t startRanks(const std::string& program, int ranks) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  const std::string count = std::to_string(ranks);
  ::execlp("mpirun", "mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "--mca",
           "btl", "self,vader,tcp", "-np", count.c_str(), program.c_str(), "--rank", nullptr);
  ::_exit(127);
}

void setEnvironment(int ranks, const std::string& endpoint, const std::string& run, const std::string& result) {
  takeRankEnvironment(1, ranks);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("SLIPSTREAM_HUB", endpoint.c_str(), 1);
  ::setenv("SLIPSTREAM_RUN", run.c_str(), 1);
  ::setenv("SLIPSTREAM_ATTEMPT", "1", 1);
  ::setenv("SLIPSTREAM_BENCH_RESULT", result.c_str(), 1);
}

/// The socket file of local runs, or with SLIPSTREAM_BENCH_LINK=tcp what ranks of other hosts use.
HubAddress hubAddress(const std::filesystem::path& folder) {
  if (environment("SLIPSTREAM_BENCH_LINK") == "tcp") return {"tcp://127.0.0.1:*", makeHubKeys()};
  return {"ipc://" + (folder / "hub").string(), {}};
}

int serve(const std::filesystem::path& folder, const RunPlan& plan) {
  const auto store = RunStore::open(folder / "store", StoreAccess::write);
  NewRun run;
  run.planText = toJsonText(plan);
  run.ranks = plan.ranks();
  const std::string id = (*store)->createRun(run);
  const int attempt = (*store)->startAttempt(id, 0);
  const auto checkpoints = CheckpointStore::openToWrite(folder / "store", id);
  Silence silence;
  const HubAddress address = hubAddress(folder);
  Hub hub({address, id, attempt, plan.ranks(), run.planText, std::nullopt, 2}, **store, **checkpoints, silence);
  if (address.keys) ::setenv(workerKeysVariable, workerKeysText(*address.keys).c_str(), 1);
  setEnvironment(plan.ranks(), hub.endpoint(), id, folder / "result");
  const pid_t process = startRanks(std::filesystem::read_symlink("/proc/self/exe"), plan.ranks());
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) hub.serve(std::chrono::milliseconds(50));
  const auto result = readFile(folder / "result");
  if (result) std::printf("%s", result->c_str());
  return result && status == 0 ? 0 : 1;
}

}  // namespace

RunPlan openEndedPlan(const NetworkSpec& network, int ranks) {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "benchmark";
  experiment.network = network;
  experiment.dataset.name = "digits";
  experiment.dataset.trainSamples = 4096;
  experiment.dataset.evaluationSamples = 32;
  experiment.parallel.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, ranks);
  plan.totalSteps = 1'000'000;
  return plan;
}

int benchmarkUnderHub(int count, char** values, const RunPlan& plan, const RankBody& body) {
  if (count > 1 && std::string(values[1]) == "--rank") return beRank(body);
  const auto folder = std::filesystem::temp_directory_path() / ("slipstream-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const int exitCode = serve(folder, plan);
  std::filesystem::remove_all(folder);
  return exitCode;
}

Stepper::Stepper(Link& link, Communicator& communicator)
    : plan_(link.task().plan),
      data_(shareTrainingData(plan_.experiment, communicator)),
      training_(makeSource(data_.training, plan_.experiment.dataset, DataPart::training, plan_.experiment.seed)),
      device_(std::move(openDevice(cpuKind(), 0, *meter_).value())),
      network_(makeNetwork(plan_.experiment.network, training_->shape(), plan_.experiment.dataset.batchSize,
                           NumberType::float32, *device_)),
      slots_(compose({network_->layout(), chooseBuckets(plan_.experiment.parallel, network_->layout()),
                      plan_.experiment, std::vector<int>(static_cast<std::size_t>(plan_.ranks()), 0),
                      static_cast<double>(plan_.stepsPerEpoch), plan_.totalSteps, communicator, *device_,
                      trainingKernels(*device_)})),
      passes_(*network_, plan_.experiment.loss, *device_, makeDeviceLoss(*device_),
              makeImageInput(*device_, normalizationOf(plan_.experiment.dataset, training_->shape().channels))),
      step_(passes_, slots_, communicator),
      sampler_(plan_.experiment.dataset, training_->count(), 1, communicator.rank(), communicator.size()),
      loader_(
          *training_, [this](std::int64_t step) { return sampler_.selectionOf(step); },
          loaderOptions(plan_.experiment.dataset, plan_.experiment.dataset.batchSize, plan_.totalSteps)),
      recorder_(link, communicator.rank()) {
  initializeWeights(network_->layout(), slots_.update->weights(), 1);
}

void Stepper::run(int steps, bool record) {
  for (int i = 0; i < steps; ++i, ++done_) {
    const Batch& batch = loader_.batchOf(done_);
    recorder_.dataReady();
    StepResult result = step_.run(batch, done_);
    communication_.push_back(result.outcome.communication.exposed);
    if (record)
      recorder_.record(done_, result, slots_.update->learningRateAt(step_.updatesDone()),
                       sampler_.countOfAllRanks(done_));
    metrics_ = std::move(result.outcome.metrics);
  }
}

}  // namespace slipstream::bench

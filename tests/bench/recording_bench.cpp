// What recording costs a training step, and where the rest of the step goes: the MLP 784-512-512-10 on 8 ranks x 32 samples.
// Blocks of steps with recording on and off alternate in one process per rank, under a real supervisor's hub; each block is
// preceded by an untimed one of its own kind, so that what is sent late falls into a block of the same kind.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/device/open_device.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/record/checkpoint_store.h"
#include "engine/record/run_store.h"
#include "engine/train/step_recorder.h"
#include "engine/train/trainer.h"
#include "engine/wire/hub.h"
#include "tests/bench/bench_numbers.h"

namespace slipstream::bench {
namespace {

constexpr int ranks = 8;
constexpr int blocks = 24;
constexpr int stepsBefore = 60;
constexpr int stepsTimed = 120;

RunPlan mlpPlan() {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "recording bench";
  experiment.network = *builtInNetwork("mlp");
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

enum class Mode { on, off, offAgain };

/// One rank's step, with or without telling anybody.
class Stepper {
 public:
  Stepper(Link& link, Communicator& communicator, Device& device, const TrainingData& data)
      : experiment_(link.task().plan.experiment),
        data_(data),
        network_(makeNetwork(experiment_.network, data.training.shape, experiment_.dataset.batchSize, device)),
        slots_(compose({network_->layout(), chooseBuckets(experiment_.parallel, network_->layout()), experiment_,
                        std::vector<int>(ranks, 0), 16.0, link.task().plan.totalSteps, communicator, device})),
        step_(*network_, slots_, experiment_.loss, communicator),
        sampler_(experiment_.dataset, data.training.count(), 1, communicator.rank(), ranks),
        recorder_(link, communicator.rank(), experiment_.dataset.batchSize * ranks) {
    initializeWeights(network_->layout(), slots_.update->weights(), 1);
  }

  void run(int steps, Mode mode) {
    for (int i = 0; i < steps; ++i, ++done_) {
      const Batch batch = makeBatch(experiment_.dataset, data_.training, sampler_.samplesOf(done_));
      recorder_.dataReady();
      const StepResult result = step_.run(batch, done_);
      communication_.push_back(result.outcome.communicationSeconds);
      if (mode == Mode::on) recorder_.record(done_, result, slots_.update->learningRateAt(done_));
    }
  }

  double medianCommunication() const { return median(communication_); }

 private:
  const Experiment& experiment_;
  const TrainingData& data_;
  std::unique_ptr<Network> network_;
  StepSlots slots_;
  TrainStep step_;
  Sampler sampler_;
  StepRecorder recorder_;
  std::int64_t done_ = 0;
  std::vector<double> communication_;
};

double secondsOf(Stepper& stepper, Communicator& communicator, Mode mode) {
  stepper.run(stepsBefore, mode);
  communicator.barrier();
  const Stopwatch watch;
  stepper.run(stepsTimed, mode);
  communicator.barrier();
  return watch.seconds() / stepsTimed;
}

nlohmann::json resultOf(const std::vector<double>& on, const std::vector<double>& off, const std::vector<double>& again,
                        double communication) {
  std::vector<double> recording;
  std::vector<double> noise;
  for (std::size_t i = 0; i < on.size(); ++i) {
    recording.push_back(on[i] / off[i] - 1);
    noise.push_back(again[i] / off[i] - 1);
  }
  const double step = median(off);
  return {{"bench", "recording"},
          {"network", "mlp 784-512-512-10"},
          {"ranks", ranks},
          {"batch", 32},
          {"blocks", on.size()},
          {"steps_per_second", 1 / step},
          {"step_ms", 1000 * step},
          {"communication_share", communication / step},
          {"compute_share", 1 - communication / step},
          {"recording_share", median(recording)},
          {"recording_quartiles", {quantile(recording, 0.25), quantile(recording, 0.75)}},
          {"off_against_off", median(noise)},
          {"off_against_off_quartiles", {quantile(noise, 0.25), quantile(noise, 0.75)}}};
}

int beRank() {
  const auto job = joinMpi();
  Communicator& world = job->world();
  const auto link = Link::connect(*linkAddressFromEnvironment(), world.rank());
  const auto data = loadTrainingData(link->task().plan.experiment);
  const auto meter = makeMemoryMeter();
  const auto device = openDevice("cpu", 0, *meter);
  Stepper stepper(*link, world, **device, *data);
  std::vector<double> seconds[3];
  for (int block = 0; block < blocks; ++block) {
    // The order turns, so that a drift of the machine touches every kind alike.
    for (int turn = 0; turn < 3; ++turn) {
      const int mode = (block + turn) % 3;
      seconds[mode].push_back(secondsOf(stepper, world, static_cast<Mode>(mode)));
    }
  }
  if (world.rank() == 0) {
    const auto result = resultOf(seconds[0], seconds[1], seconds[2], stepper.medianCommunication());
    if (!writeFile(environment("SLIPSTREAM_BENCH_RESULT").value(), result.dump() + "\n")) throw Error("no result");
  }
  link->finish(false, 0);
  return 0;
}

class Silence final : public HubListener {
 public:
  void metrics(int, const MetricBlock&) override {}
  void event(const Event&) override {}
  void checkpoint(const CheckpointRow&) override {}
};

pid_t startRanks(const std::string& program) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("OMP_NUM_THREADS", "1", 1);
  const std::string count = std::to_string(ranks);
  ::execlp("mpirun", "mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl",
           "self,vader,tcp", "-np", count.c_str(), program.c_str(), "--rank", nullptr);
  ::_exit(127);
}

int beSupervisor(const std::string& program) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("slipstream-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto store = RunStore::open(folder / "store", StoreAccess::write);
  const RunPlan plan = mlpPlan();
  NewRun run;
  run.planText = toJsonText(plan);
  run.ranks = ranks;
  const std::string id = (*store)->createRun(run);
  const int attempt = (*store)->startAttempt(id, 0);
  const auto checkpoints = CheckpointStore::openToWrite(folder / "store", id);
  const std::string endpoint = "ipc://" + (folder / "hub").string();
  Silence silence;
  const auto hub = Hub::open({endpoint, id, attempt, ranks, run.planText, std::nullopt, 1}, **store, **checkpoints, silence);
  ::setenv("SLIPSTREAM_HUB", endpoint.c_str(), 1);
  ::setenv("SLIPSTREAM_RUN", id.c_str(), 1);
  ::setenv("SLIPSTREAM_ATTEMPT", std::to_string(attempt).c_str(), 1);
  ::setenv("SLIPSTREAM_BENCH_RESULT", (folder / "result").c_str(), 1);
  const pid_t ranksProcess = startRanks(program);
  int status = 0;
  while (::waitpid(ranksProcess, &status, WNOHANG) == 0) hub->serve(std::chrono::milliseconds(50));
  const auto result = readFile(folder / "result");
  if (result) std::printf("%s", result->c_str());
  std::filesystem::remove_all(folder);
  return result && status == 0 ? 0 : 1;
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  if (count > 1 && std::string(values[1]) == "--rank") return slipstream::bench::beRank();
  return slipstream::bench::beSupervisor(std::filesystem::read_symlink("/proc/self/exe").string());
}

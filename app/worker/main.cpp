// One rank of a run: joins MPI and the supervisor, trains, and says how it ended.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/device/open_device.h"
#include "engine/train/trainer.h"
#include "engine/wire/link.h"

namespace slipstream::worker {
namespace {

constexpr int exitFailed = 1;

std::unique_ptr<Device> openedDevice(const RunPlan& plan, int rank, MemoryMeter& meter) {
  auto device = openDevice(plan.experiment.device, plan.places[static_cast<std::size_t>(rank)].deviceId, meter);
  if (!device) throw Error(toText(device.error()));
  return std::move(*device);
}

void trainTask(Link& link, Communicator& communicator) {
  const RunPlan& plan = link.task().plan;
  if (plan.ranks() != communicator.size()) {
    throw Error("the plan has " + std::to_string(plan.ranks()) + " ranks, MPI started " +
                std::to_string(communicator.size()));
  }
  const auto meter = makeMemoryMeter();
  const auto device = openedDevice(plan, communicator.rank(), *meter);
  const TrainingEnd end = train(link, communicator, *device, shareTrainingData(plan.experiment, communicator));
  link.finish(end.stopped, end.stepsDone);
}

/// Everything that goes wrong ends here: the cause goes to the supervisor and the log, then the whole job ends.
int beRank() {
  const auto address = linkAddressFromEnvironment();
  if (!address) {
    std::fprintf(stderr, "%s", toText(address.error()).c_str());
    return 2;
  }
  const std::unique_ptr<MpiJob> job = joinMpi();
  const int rank = job->world().rank();
  std::unique_ptr<Link> link;
  try {
    link = Link::connect(*address, rank, {}, [&world = job->world()] { return world.sequence(); });
    trainTask(*link, job->world());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    if (link) link->fail(error.what());
    abortMpi(exitFailed);
  }
  return 0;
}

}  // namespace
}  // namespace slipstream::worker

int main(int count, char** values) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    using namespace slipstream::worker;
    if (arguments.empty()) return beRank();
    if (arguments[0] == "--devices") return listDevices();
    if (arguments[0] == "--where") return sayWhere();
    if (arguments[0] == "--activations") return printActivations();
    if (arguments[0] == "--evaluate") return evaluateWeights({arguments.begin() + 1, arguments.end()});
    std::fprintf(stderr, "slipstream-worker is started by `slipstream run`; it takes no arguments of yours\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

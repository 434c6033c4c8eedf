// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of a run: joins MPI and the supervisor, trains, and says how it ended.
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <sys/prctl.h>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/hosts/host_agent.h"
#include "engine/probe/environment_switches.h"
#include "engine/scheduler/scheduler.h"
#include "engine/train/rank_devices.h"
#include "engine/train/trainer.h"
#include "engine/wire/link.h"

namespace slipstream::worker {
namespace {

constexpr int exitFailed = 1;

/// The cause goes to the supervisor and the log, then the whole job ends.
[[noreturn]] void endJob(Link& link, int rank, const std::exception& error) {
  std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
  link.fail(error.what());
  abortMpi(exitFailed);
}

/// Standard output is the rank's log (mpirun's --output-filename), which keeps whole lines.
TrainingTools loggingTools(const Device& device) {
  TrainingTools tools = trainingTools(device);
  tools.log = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
  return tools;
}

void trainTask(Link& link, Communicator& communicator, Recording recording) {
  const RunPlan& plan = link.task().plan;
  if (plan.ranks() != communicator.size()) {
    throw Error("the plan has " + std::to_string(plan.ranks()) + " ranks, MPI started " +
                std::to_string(communicator.size()));
  }
  MemoryMeter meter;
  const auto device = openPlannedDevice(plan, communicator.rank(), meter, recording);
  // The data set is the host's whatever the vectors are.
  const auto data = shareTrainingData(plan.experiment, communicator);
  auto ofDevices = joinDevices(plan, communicator, *device, link);
  try {
    const TrainingEnd end = train(link, ofDevices ? *ofDevices : communicator, *device, loggingTools(*device), data);
    leaveDevices(std::move(ofDevices), communicator, *device);
    link.finish(end.stopped, end.stepsDone);
  } catch (const std::exception& error) {
    // Before memory goes that peers may be reading, or that a device is long in giving back: the cause comes first.
    endJob(link, communicator.rank(), error);
  }
}

int beRank() {
  // Whoever started this rank takes it along, even where it is stopped.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A file that reaches the limit of its size (ulimit -f) is a failed write, as on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // Where another rank has died, who reads the log or the messages may be gone first: who died is to be named, not who
  // wrote to nobody.
  std::signal(SIGPIPE, SIG_IGN);
  // The supervisor, which hears it too, ends ranks after a step.
  if (isTerminatedWithJob()) std::signal(SIGTERM, SIG_IGN);
  const auto address = linkAddressFromEnvironment();
  if (!address) {
    std::fprintf(stderr, "%s", toText(address.error()).c_str());
    return 2;
  }
  const auto records = recordsPasses();
  if (!records) {
    std::fprintf(stderr, "%s", toText(records.error()).c_str());
    return 2;
  }
  MpiJob job;
  const int rank = job.world().rank();
  std::unique_ptr<Link> link;
  try {
    link = Link::connect(*address, rank, {}, [&world = job.world()] { return world.sequence(); });
    trainTask(*link, job.world(), *records ? Recording::on : Recording::off);
  } catch (const std::exception& error) {
    if (link) endJob(*link, rank, error);
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
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
    using namespace slipstream;
    using namespace slipstream::worker;
    if (arguments.empty()) return beRank();
    if (arguments[0] == "--devices") return printDevices();
    if (arguments[0] == "--compare") return compareDevices({arguments.begin() + 1, arguments.end()});
    if (arguments[0] == "--where") return sayWhere();
    if (arguments[0] == "--activations") return printActivations();
    if (arguments[0] == "--program") return startProgram({arguments.begin() + 1, arguments.end()});
    if (arguments[0] == "--host") return serveHost(mpiLibraryVersion());
    if (arguments[0] == "--evaluate") return evaluateWeights({arguments.begin() + 1, arguments.end()});
    std::fprintf(stderr, "slipstream-worker is started by `slipstream run`; it takes no arguments of yours\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/program_rank.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/experiment/resolved_form.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/environment_switches.h"
#include "engine/probe/own_program.h"
#include "engine/train/rank_devices.h"

namespace slipstream {
namespace {

constexpr int exitFailed = 1;

template <class Value>
Value valueOf(Result<Value> result) {
  if (!result) throw Error(trim(toText(result.error())));
  return std::move(*result);
}

/// Standard output is the rank's log (mpirun's --output-filename), which keeps whole lines.
TrainingTools loggingTools(const Device& device) {
  TrainingTools tools = trainingTools(device);
  tools.log = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
  return tools;
}

}  // namespace

std::unique_ptr<ProgramRank> ProgramRank::join() {
  std::unique_ptr<ProgramRank> rank(new ProgramRank);
  if (const auto folder = environment(describeVariable)) {
    rank->joinQuestion(*folder);
    return rank;
  }
  try {
    rank->joinRun();
  } catch (const std::exception& error) {
    if (rank->job_) rank->fail(error.what());  // the others would wait for ever
    throw;
  }
  return rank;
}

void ProgramRank::joinQuestion(const std::string& folder) {
  askedIn_ = folder;
  const auto text = readFile(askedIn_ / askedExperimentFile);
  if (!text) throw Error(trim(toText(text.error())));
  experiment_ = valueOf(parseJson(*text, askedExperimentFile));
}

void ProgramRank::joinRun() {
  const auto address = linkAddressFromEnvironment();
  if (!address) {
    throw Error(
        "this program is no rank of a run: start it with `slipstream run EXPERIMENT.json`, where the experiment "
        "has \"network\": {\"program\": [...]} (" +
        trim(toText(address.error())) + ")");
  }
  job_.emplace();
  rank_ = job_->world().rank();
  ranks_ = job_->world().size();
  link_ = Link::connect(*address, rank(), {}, [&world = job_->world()] { return world.sequence(); });
  const RunPlan& plan = link_->task().plan;
  if (plan.ranks() != ranks()) {
    throw Error(fmt::format("the plan has {} ranks, MPI started {}", plan.ranks(), ranks()));
  }
  experiment_ = toJson(plan.experiment);
  if (deviceKindOf(plan.experiment).ownMemory) {
    deviceNumber_ = plan.places[static_cast<std::size_t>(rank())].deviceId;
    isOnHost_ = false;
  }
}

ProgramRank::~ProgramRank() {
  if (!job_ || left_) return;
  fail("the program ended before it left the run");
}

void ProgramRank::describe(const std::vector<DescribedTensor>& tensors) {
  if (training_ || left_) {
    throw Error("the program has described its tensors before: a process trains one network, described once");
  }
  const auto layers = valueOf(layersOf(tensors));
  if (isAsked()) answer(layers);
  const Status same = checkAsPlanned(layers, link_->task().plan.experiment.network.layers);
  if (!same) throw Error(trim(toText(same.error())));
  openDevice();
  Communicator& communicator = ofDevices_ ? *ofDevices_ : job_->world();
  training_ = std::make_unique<ProgramTraining>(*link_, communicator, *device_, loggingTools(*device_),
                                                data_ ? &*data_ : nullptr);
}

void ProgramRank::answer(const std::vector<LayerSpec>& layers) {
  if (const Status written = writeFile(askedIn_ / describedTensorsFile, descriptionText(layers)); !written) {
    throw Error(trim(toText(written.error())));
  }
  std::fflush(nullptr);
  std::_Exit(0);  // nothing that a program does at its end belongs to the answer
}

void ProgramRank::openDevice() {
  const RunPlan& plan = link_->task().plan;
  const bool records = valueOf(recordsPasses());
  device_ = openPlannedDevice(plan, rank(), meter_, records ? Recording::on : Recording::off);
  if (!kindOf(plan.experiment.dataset).ofProgram) {
    data_ = shareTrainingData(plan.experiment, job_->world());
    meter_.add(MemoryCategory::data, bytesOf(data_->training) + bytesOf(data_->evaluation));
  }
  ofDevices_ = joinDevices(plan, job_->world(), *device_, *link_);
}

ProgramTraining& ProgramRank::training() {
  if (training_) return *training_;
  throw Error(left_ ? "the program has left the run" : "the program has not described its tensors yet: do so first");
}

void ProgramRank::leave() {
  const TrainingEnd end = training().leave();
  training_.reset();
  leaveDevices(std::move(ofDevices_), job_->world(), *device_);
  device_.reset();
  link_->finish(end.stopped, end.stepsDone);
  left_ = true;
  job_.reset();
  link_.reset();
}

void ProgramRank::fail(const std::string& cause) {
  std::fprintf(stderr, "rank %d: %s\n", rank(), cause.c_str());
  std::fflush(nullptr);
  if (link_) link_->fail(printable(cause, "\n"));
  abortMpi(exitFailed);
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for the worker in tests of the supervisor: a rank under real MPI that keeps the protocol, computes something
// that every rank can check, and misbehaves as FAKE_WORKER says: MANNER@STEP/RANK, or nothing.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/wire/link.h"

namespace {

using namespace slipstream;

constexpr std::size_t weightCount = 1000;
/// So many steps before one of them misbehaves all ranks wait until the store has what they sent: values that are still
/// on their way when a rank dies, or is ended with it, may be lost.
constexpr std::int64_t stepsBetween = 10;

struct Misbehaviour {
  std::string kind;
  std::int64_t step = -1;
  int rank = -1;
};

Misbehaviour misbehaviour() {
  const auto text = environment("FAKE_WORKER");
  if (!text) return {};
  const auto at = text->find('@');
  const auto slash = text->find('/');
  return {text->substr(0, at), *parseInteger(text->substr(at + 1, slash - at - 1)),
          static_cast<int>(*parseInteger(text->substr(slash + 1)))};
}

void misbehave(const std::string& kind) {
  if (kind == "kill") std::raise(SIGKILL);
  if (kind == "stop") std::raise(SIGSTOP);
  if (kind == "segfault") std::raise(SIGSEGV);
  if (kind == "exit") std::_Exit(3);
  if (kind == "leave") std::_Exit(0);
  if (kind == "throw") throw std::runtime_error("a tensor has the wrong shape");
  if (kind == "invalid") throw std::runtime_error("epoch: 1 step: 8. Invalid loss, terminating training.");
  if (kind == "hang") std::this_thread::sleep_for(std::chrono::hours{1});
}

/// As the communicator counts them.
std::atomic<std::uint64_t> operations = 0;

void allReduce(void* values, MPI_Datatype type, MPI_Op operation) {
  ++operations;
  MPI_Allreduce(MPI_IN_PLACE, values, 1, type, operation, MPI_COMM_WORLD);
}

class FakeRank {
 public:
  FakeRank(Link& link, int rank) : link_(link), rank_(rank), weights_(weightCount, 1.0F) {}

  void run() {
    const RunPlan& plan = link_.task().plan;
    const std::int64_t pause = parseInteger(environment("FAKE_WORKER_PAUSE_MS").value_or("2")).value_or(2);
    std::int64_t step = restore();
    while (step < plan.totalSteps) {
      link_.progress(step, "step", operations);
      if (wrong_.step == step + stepsBetween) link_.flush();
      if (wrong_.step == step && wrong_.rank == rank_) misbehave(wrong_.kind);
      std::this_thread::sleep_for(std::chrono::milliseconds{pause});
      const StopKind stop = update(step);
      ++step;
      const std::int64_t every = plan.experiment.train.checkpoint.everySteps;
      const bool due = every > 0 && step % every == 0;
      const bool stopping = stop == StopKind::afterStep || (stop == StopKind::afterCheckpoint && due);
      if (due || stopping || step == plan.totalSteps) keep(step);
      if (stopping) return link_.finish(true, step);
    }
    link_.finish(false, step);
  }

 private:
  std::int64_t restore() {
    const auto& checkpoint = link_.task().checkpoint;
    if (!checkpoint) return 0;
    for (const TensorRecord& tensor : checkpoint->tensors) {
      if (tensor.name == "weight") weights_ = link_.fetch(tensor.hash);
    }
    return checkpoint->step;
  }

  /// Every rank adds what all ranks know: the same on all of them, and dependent on every step before.
  StopKind update(std::int64_t step) {
    const double mine = static_cast<double>(rank_ + 1) * static_cast<double>(step + 1);
    double sum = mine;
    allReduce(&sum, MPI_DOUBLE, MPI_SUM);
    for (float& weight : weights_) weight = weight * 0.999F + static_cast<float>(sum) * 1e-4F;
    link_.record(step, {"loss", "step_seconds"}, {1.0 / mine, 0.002});
    int stop = static_cast<int>(link_.stopRequested());
    allReduce(&stop, MPI_INT, MPI_MAX);
    return static_cast<StopKind>(stop);
  }

  void keep(std::int64_t step) {
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(weights_.size())};
    std::vector<OutgoingTensor> tensors{{"momentum/weight", shape, rank_, weights_}};
    if (rank_ == 0) tensors.push_back({"weight", shape, -1, weights_});
    link_.sendCheckpoint(step, true, "{}", tensors);
  }

  Link& link_;
  const int rank_;
  const Misbehaviour wrong_ = misbehaviour();
  std::vector<float> weights_;
};

}  // namespace

int main(int count, char** values) {
  int provided = 0;
  MPI_Init_thread(&count, &values, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto link = Link::connect(*linkAddressFromEnvironment(), rank, {}, [] { return std::uint64_t{operations}; });
  try {
    std::fprintf(stderr, "rank %d is here\n", rank);
    FakeRank(*link, rank).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    link->fail(error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The C interface: every function is one of ProgramRank's, with errors as text.
#include "slipstream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/program/program_rank.h"

/// The handle: C sees nothing of it.
struct slipstream_rank {
  std::unique_ptr<slipstream::ProgramRank> rank;
  std::string answer;  ///< of slipstream_setting
};

namespace {

using slipstream::Error;

thread_local std::string lastError;  // NOLINT: what C asks for after a call

/// The one rank of this process, for its end: null before it joins and when it has left.
slipstream_rank* joined = nullptr;  // NOLINT
pid_t joinedProcess = 0;            // NOLINT: a child that it forked is no rank
std::string causeOfEnd;             // NOLINT: of the process, where it ends without leaving: its newest error
std::mutex causeMutex;              // NOLINT

void keepCause(const std::string& cause) {
  const std::lock_guard<std::mutex> lock(causeMutex);
  causeOfEnd = cause;
}

std::string keptCause() {
  const std::lock_guard<std::mutex> lock(causeMutex);
  return causeOfEnd;
}

/// The error is this thread's, and the cause where the process ends before the training goes on.
template <class Work>
auto guarded(const Work& work, decltype(work()) failed) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& error) {
    lastError = error.what();
  } catch (...) {
    lastError = "an unknown error inside the library";
  }
  keepCause(lastError);
  return failed;
}

template <class Work>
int done(const Work& work) {
  return guarded(
      [&] {
        work();
        return 0;
      },
      -1);
}

/// What the program has got over where it succeeds: an error before it is no cause any more.
template <class Work>
int stepDone(const Work& work) {
  const int status = done(work);
  if (status == 0) keepCause("");
  return status;
}

slipstream::ProgramRank& rankOf(const slipstream_rank* rank) {
  if (rank == nullptr || !rank->rank) throw Error("there is no rank: slipstream_join failed, or the rank has left");
  return *rank->rank;
}

slipstream::ProgramTraining& trainingOf(const slipstream_rank* rank) {
  return rankOf(rank).training();
}

/// At the end of a process that has not left: its newest error is the run's, else that it did not leave.
void endUnleft() {
  if (joined == nullptr || !joined->rank || joined->rank->isAsked() || ::getpid() != joinedProcess) return;
  std::string cause = keptCause();
  if (cause.empty()) {
    cause =
        "the program ended before it left the run: call slipstream_leave when slipstream_should_stop says so "
        "(Python: rank.leave())";
  }
  joined->rank->fail(cause);
}

/// The caller's struct, of which a program with an older header has less.
template <class Struct>
void give(const Struct& ours, Struct* theirs) {
  if (theirs == nullptr) return;
  if (theirs->size < sizeof(std::size_t) * 2) throw Error("a struct has no size: set its member to sizeof first");
  const std::size_t known = std::min(theirs->size, sizeof(Struct));
  std::memcpy(reinterpret_cast<char*>(theirs) + sizeof(std::size_t),
              reinterpret_cast<const char*>(&ours) + sizeof(std::size_t), known - sizeof(std::size_t));
}

slipstream::TensorRole roleOf(const slipstream_tensor& tensor) {
  if (tensor.kind < SLIPSTREAM_WEIGHT || tensor.kind > SLIPSTREAM_EMBEDDING) {
    throw Error(fmt::format("tensor {} has the unknown kind {}: use one of the SLIPSTREAM_ constants", tensor.name,
                            tensor.kind));
  }
  return static_cast<slipstream::TensorRole>(tensor.kind);
}

/// `at` bytes behind the first: a program of another header has structs of another size.
slipstream::DescribedTensor describedAt(const slipstream_tensor* tensors, std::size_t at) {
  slipstream_tensor tensor{};
  const auto* place = reinterpret_cast<const char*>(tensors) + at;
  std::memcpy(&tensor, place, std::min(tensors->size, sizeof(tensor)));
  if (tensor.size != tensors->size) throw Error("the tensors of a list have different sizes: set each to sizeof");
  if (tensor.name == nullptr || (tensor.shape == nullptr && tensor.dimensions > 0)) {
    throw Error("a tensor has no name or no shape");
  }
  return {tensor.name, {tensor.shape, tensor.shape + tensor.dimensions}, tensor.layer, roleOf(tensor)};
}

std::vector<slipstream::DescribedTensor> described(const slipstream_tensor* tensors, std::size_t count) {
  std::vector<slipstream::DescribedTensor> list;
  if (tensors == nullptr || count == 0) return list;
  if (tensors->size < sizeof(std::size_t) * 2) throw Error("a tensor has no size: set its member to sizeof first");
  for (std::size_t i = 0; i < count; ++i) list.push_back(describedAt(tensors, i * tensors->size));
  return list;
}

const slipstream::Json* valueAt(const slipstream::Json& experiment, const std::string& path) {
  const slipstream::Json* value = &experiment;
  if (path.empty()) return value;
  for (const std::string& key : slipstream::split(path, '.')) {
    if (!value->is_object() || !value->contains(key)) return nullptr;
    value = &value->at(key);
  }
  return value;
}

[[noreturn]] void failNoTensor(std::size_t tensor) {
  throw Error(fmt::format("there is no tensor {}: the program's are counted from 0, as it described them", tensor));
}

const char* settingOf(slipstream_rank* rank, const std::string& path) {
  const slipstream::Json* value = valueAt(rankOf(rank).experiment(), path);
  if (value == nullptr) throw Error(fmt::format("the experiment has no {}", path));
  rank->answer = value->dump();
  return rank->answer.c_str();
}

}  // namespace

int slipstream_abi(void) {
  return SLIPSTREAM_ABI;
}

const char* slipstream_error(void) {
  return lastError.c_str();
}

slipstream_rank* slipstream_join(int abi) {
  return guarded(
      [&]() -> slipstream_rank* {
        if (abi != SLIPSTREAM_ABI) {
          throw Error(fmt::format("the program was built for interface {}, the library has {}: build it anew", abi,
                                  SLIPSTREAM_ABI));
        }
        static bool hasJoined = false;
        if (std::exchange(hasJoined, true)) throw Error("this process has joined before: it is one rank of one run");
        auto rank = std::make_unique<slipstream_rank>();
        rank->rank = slipstream::ProgramRank::join();
        joined = rank.get();
        joinedProcess = ::getpid();
        std::atexit(endUnleft);
        return rank.release();
      },
      nullptr);
}

int slipstream_number(const slipstream_rank* rank) {
  return guarded([&] { return rankOf(rank).rank(); }, -1);
}

int slipstream_ranks(const slipstream_rank* rank) {
  return guarded([&] { return rankOf(rank).ranks(); }, -1);
}

int slipstream_device_number(const slipstream_rank* rank) {
  return guarded([&] { return rankOf(rank).deviceNumber(); }, -1);
}

int slipstream_is_on_host(const slipstream_rank* rank) {
  return guarded([&] { return rankOf(rank).isOnHost() ? 1 : 0; }, -1);
}

const char* slipstream_setting(slipstream_rank* rank, const char* path) {
  try {
    return settingOf(rank, path == nullptr ? "" : path);
  } catch (const std::exception& error) {
    lastError = error.what();  // programs ask for what an experiment may lack
    return nullptr;
  }
}

int slipstream_describe(slipstream_rank* rank, const slipstream_tensor* tensors, size_t count) {
  return stepDone([&] { rankOf(rank).describe(described(tensors, count)); });
}

int slipstream_is_fresh(slipstream_rank* rank) {
  return guarded([&] { return trainingOf(rank).startsFresh() ? 1 : 0; }, -1);
}

float* slipstream_weights(slipstream_rank* rank) {
  return guarded([&] { return trainingOf(rank).weights().data(); }, nullptr);
}

float* slipstream_gradients(slipstream_rank* rank) {
  return guarded([&] { return trainingOf(rank).gradients().data(); }, nullptr);
}

int64_t slipstream_offset(slipstream_rank* rank, size_t tensor) {
  return guarded(
      [&]() -> std::int64_t {
        const auto& tensors = trainingOf(rank).layout().tensors();
        if (tensor >= tensors.size()) failNoTensor(tensor);
        return tensors[tensors.size() - 1 - tensor].range.begin;
      },
      -1);
}

int64_t slipstream_elements(slipstream_rank* rank) {
  return guarded([&]() -> std::int64_t { return trainingOf(rank).layout().size(); }, -1);
}

int slipstream_copies_gradients(slipstream_rank* rank) {
  return guarded([&] { return trainingOf(rank).copiesGradients() ? 1 : 0; }, -1);
}

int slipstream_restored(slipstream_rank* rank, const void** state, size_t* size) {
  return done([&] {
    if (state == nullptr || size == nullptr)
      throw Error("slipstream_restored has nowhere to put its answer: give both");
    const auto& restored = trainingOf(rank).restoredState();
    *state = restored ? restored->data() : nullptr;
    *size = restored ? restored->size() : 0;
  });
}

int64_t slipstream_steps_done(slipstream_rank* rank) {
  return guarded([&]() -> std::int64_t { return trainingOf(rank).stepsDone(); }, -1);
}

int64_t slipstream_total_steps(slipstream_rank* rank) {
  return guarded([&]() -> std::int64_t { return trainingOf(rank).totalSteps(); }, -1);
}

int slipstream_should_stop(slipstream_rank* rank) {
  return guarded([&] { return trainingOf(rank).shouldStop() ? 1 : 0; }, -1);
}

int slipstream_begin(slipstream_rank* rank, slipstream_step* step) {
  return stepDone([&] {
    const slipstream::StepStart start = trainingOf(rank).begin();
    give({0, start.step, start.microBatches, start.firstTrainedLayer, start.share, start.lossScale, start.samples},
         step);
  });
}

int slipstream_get_samples(slipstream_rank* rank, int micro_batch, slipstream_samples* samples) {
  return done([&] {
    const slipstream::StepSamples part = trainingOf(rank).samples(micro_batch);
    give({0, part.inputs.data(), part.labels.data(), part.count, part.shape.height, part.shape.width,
          part.shape.channels, part.share},
         samples);
  });
}

int slipstream_ready(slipstream_rank* rank, size_t tensor, int micro_batch) {
  return done([&] {
    if (tensor > static_cast<size_t>(std::numeric_limits<int>::max())) failNoTensor(tensor);
    trainingOf(rank).ready(static_cast<int>(tensor), micro_batch);
  });
}

int slipstream_flush_ready(slipstream_rank* rank) {
  return done([&] { trainingOf(rank).flushReady(); });
}

int slipstream_finish(slipstream_rank* rank, double loss, slipstream_trial_loss trial, void* context,
                      slipstream_outcome* outcome) {
  return stepDone([&] {
    slipstream::TrialLoss asked;
    if (trial != nullptr) asked = [&] { return trial(context); };
    const slipstream::StepEnd end = trainingOf(rank).finish(loss, asked);
    give({0, end.updated, end.overflow, end.checkpointDue, end.stop}, outcome);
  });
}

int slipstream_record(slipstream_rank* rank, const char* name, double value) {
  return done([&] { trainingOf(rank).record(name == nullptr ? "" : name, value); });
}

int slipstream_checkpoint(slipstream_rank* rank, const void* state, size_t size) {
  return stepDone([&] { trainingOf(rank).keepCheckpoint({static_cast<const std::byte*>(state), size}); });
}

int slipstream_leave(slipstream_rank* rank) {
  return done([&] {
    rankOf(rank).leave();
    rank->rank.reset();
    if (joined == rank) joined = nullptr;
    delete rank;  // NOLINT: the handle was given away by slipstream_join
  });
}

void slipstream_fail(slipstream_rank* rank, const char* cause) {
  const char* text = cause == nullptr ? "the program gave up" : cause;
  done([&] { rankOf(rank).fail(text); });
  std::fprintf(stderr, "%s\n", text);
  std::fflush(nullptr);
  std::_Exit(1);
}

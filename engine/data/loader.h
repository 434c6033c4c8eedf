// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/data/sample_source.h"

namespace slipstream {

/// The samples of a step, steps counted as the caller does.
using Selector = std::function<Selection(std::int64_t step)>;

struct LoaderOptions {
  std::int64_t batchSize = 0;       ///< of a Batch
  std::int64_t samplesPerStep = 0;  ///< the most that a step has
  std::int64_t endStep = 0;         ///< nothing is prepared from here on, unless it is asked for
  int threads = 0;                  ///< beside the caller's
  std::int64_t ahead = 0;           ///< steps that are prepared beside the one in use
  BrokenImages onBroken = BrokenImages::fail;
  /// What becomes of the place of a sample that is skipped: another takes it, or the batch is shorter.
  bool standIns = true;
};

/// Bytes of the batches that a loader of this source keeps.
std::int64_t bytesOf(const LoaderOptions& options, const SampleSource& source);

/// The options of a data set for steps of `samplesPerStep`.
LoaderOptions loaderOptions(const DatasetSpec& spec, std::int64_t samplesPerStep, std::int64_t endStep);

/// Prepares the batches of steps, those to come on threads of its own. What a batch holds depends on the source and on
/// the selection alone: not on threads, not on how many are prepared ahead, not on what was asked for before.
class Loader {
 public:
  Loader(const SampleSource& source, Selector select, const LoaderOptions& options);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The batch of a step, valid until the next call. Steps in a row are under way before they are asked for; the caller
  /// helps where one is not ready. Throws Error naming the file of a sample that cannot be read; where such are
  /// skipped, the next readable one of the list stands in, or nothing does.
  const Batch& batchOf(std::int64_t step);

  /// The samples of the batch that batchOf() returned last. Not where others stand in for unreadable ones.
  const std::vector<std::uint32_t>& samples() const { return inUse_->selection.samples; }

  /// What was said of samples that were skipped, in the batch that batchOf() returned last.
  const std::vector<std::string>& skipped() const { return inUse_->skipped; }

 private:
  struct Slot {
    std::int64_t step = 0;
    Batch batch;
    Selection selection;
    std::int64_t taken = 0;     ///< samples that somebody prepares or has prepared
    std::int64_t prepared = 0;  ///< or failed
    std::int64_t failedAt = -1;
    std::exception_ptr failure;  ///< of the first sample that failed
    std::vector<std::string> skipped;
  };
  using Lock = std::unique_lock<std::mutex>;

  void work();
  void enqueue();
  void restart(std::int64_t step, Lock& lock);
  Slot* nextUntaken();
  void prepareOne(Slot& slot, SampleReader& reader, Lock& lock);
  std::int32_t read(Slot& slot, std::int64_t place, SampleReader& reader, std::string& skipped) const;
  void resize(Batch& batch, std::size_t count) const;
  Result<std::int32_t> readInto(Slot& slot, std::int64_t place, std::uint32_t sample, SampleReader& reader) const;
  std::span<std::uint8_t> pictureAt(Batch& batch, std::int64_t place) const;
  std::span<float> inputsAt(Batch& batch, std::int64_t place) const;
  void copySample(Batch& batch, std::int64_t from, std::int64_t to) const;
  void closeGaps(Slot& slot) const;

  const SampleSource& source_;
  const Selector select_;
  const LoaderOptions options_;
  const std::size_t elements_;
  const bool floats_;
  const std::unique_ptr<SampleReader> own_;  ///< the caller's
  std::mutex mutex_;
  std::condition_variable workToDo_;
  std::condition_variable samplePrepared_;
  std::deque<std::unique_ptr<Slot>> queue_;  ///< in the order of steps
  std::vector<std::unique_ptr<Slot>> free_;
  std::unique_ptr<Slot> inUse_;
  std::int64_t nextStep_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace slipstream

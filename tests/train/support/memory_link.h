// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/base/hash.h"
#include "engine/wire/link.h"

namespace slipstream::test {

/// What a run of thread ranks left behind, shared by their links.
struct MemoryStore {
  std::mutex mutex;
  std::map<std::string, std::map<std::int64_t, std::map<int, double>>> metrics;  ///< name -> step -> rank -> value
  std::map<std::int64_t, CheckpointManifest> checkpoints;
  std::map<std::int64_t, CheckpointManifest> snapshots;
  std::map<std::string, std::vector<float>> tensors;  ///< by hash
  std::map<int, std::map<std::string, std::int64_t>> memory;
  std::vector<std::string> events;      ///< codes
  std::vector<std::string> eventTexts;  ///< what they say
  std::vector<std::string> warnings;    ///< of them, those of that level
  bool withholdsMemory = false;         ///< ranks get no shared memory, though the plan is local
  StopKind stop = StopKind::none;
  std::int64_t stopAtStep = -1;  ///< `stop` is seen from this step on

  /// The mean over ranks of one metric, by step.
  std::vector<double> meanOf(const std::string& name);
};

/// A link to nowhere but memory.
class MemoryLink final : public Link {
 public:
  MemoryLink(MemoryStore& store, WorkerTask task, int rank) : store_(store), task_(std::move(task)), rank_(rank) {}

  const WorkerTask& task() const override { return task_; }
  void record(std::int64_t step, const std::vector<std::string>& names, const std::vector<double>& values) override;
  void event(EventLevel level, const std::string& code, const std::string& text) override;
  void memory(const std::map<std::string, std::int64_t>& bytes) override;
  void progress(std::int64_t step, const char*, std::uint64_t) override { step_ = step; }
  StopKind stopRequested() const override;
  void sendCheckpoint(std::int64_t step, bool full, const std::string& progressText,
                      const std::vector<OutgoingTensor>& tensors) override;
  void sendSnapshot(std::int64_t step, const std::vector<OutgoingTensor>& weights) override;
  std::optional<CheckpointManifest> checkpointAt(std::int64_t step) override;
  std::optional<CheckpointManifest> snapshotAt(std::int64_t step) override;
  std::vector<float> fetch(const std::string& hash) override;
  void flush() override {}
  void finish(bool, std::int64_t) override {}
  void fail(const std::string&) override {}

 private:
  void keep(CheckpointManifest& manifest, const std::vector<OutgoingTensor>& tensors);

  MemoryStore& store_;
  WorkerTask task_;
  int rank_;
  std::int64_t step_ = 0;
};

}  // namespace slipstream::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/record/checkpoint_manifest.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// The room that one checkpoint or snapshot takes.
struct StoredSize {
  std::int64_t step = 0;
  bool snapshot = false;
  int attempt = 0;
  std::int64_t bytes = 0;
  std::int64_t ownBytes = 0;  ///< of tensors that no other one uses
};

/// checkpoints/RUN.db
std::filesystem::path checkpointFile(const std::filesystem::path& storeFolder, const std::string& runId);

/// checkpoints/RUN.db of a store: weights by content, in parts of at most 1 MB with CRC-32C. One writer.
/// A checkpoint is complete or absent. Snapshots are kept beside checkpoints and in the same way, also at the same
/// step; nothing pushes them out.
class CheckpointStore {
 public:
  static Result<std::unique_ptr<CheckpointStore>> openToWrite(const std::filesystem::path& storeFolder,
                                                              const std::string& runId,
                                                              std::chrono::milliseconds patience = lockPatience);
  static Result<std::unique_ptr<CheckpointStore>> openToRead(const std::filesystem::path& storeFolder,
                                                             const std::string& runId,
                                                             std::chrono::milliseconds patience = lockPatience);
  virtual ~CheckpointStore() = default;

  /// Of the checkpoints, rising.
  virtual std::vector<std::int64_t> steps() = 0;
  virtual Result<CheckpointManifest> manifest(std::int64_t step) = 0;
  /// Of the snapshots, rising.
  virtual std::vector<std::int64_t> snapshotSteps() = 0;
  virtual Result<CheckpointManifest> snapshot(std::int64_t step) = 0;
  /// Of both, by step.
  virtual std::vector<StoredSize> sizes() = 0;
  /// The bytes of a stored tensor; throws Error where a checksum does not hold.
  virtual std::vector<std::byte> read(const std::string& hash) = 0;
  virtual bool has(const std::string& hash) = 0;

  // One checkpoint or snapshot at a time: begin, parts of the tensors that are not stored yet, then complete or
  // abandon. Where another program holds the file, begin and complete throw StoreBusy at once and may be called again:
  // nothing that was added is lost.
  virtual void begin() = 0;
  virtual void addPart(const std::string& hash, std::int64_t index, std::span<const std::byte> bytes) = 0;
  /// Makes the checkpoint visible and durable (replacing one of the same step and kind); returns the bytes that were
  /// new.
  virtual std::int64_t complete(const CheckpointManifest& manifest) = 0;
  virtual void abandon() = 0;
  /// Forgets a checkpoint and the tensors that no other one uses.
  virtual void remove(std::int64_t step) = 0;
  /// Gives the disk back what removed tensors have left. Rewrites the file: for what people remove, not for runs.
  virtual void compact() = 0;
  /// Every tensor of every checkpoint is there and its hash holds; one failure each where not.
  virtual Failures verify() = 0;
  /// The same of one checkpoint or snapshot, which is a failure itself where it is not there.
  virtual Failures verify(std::int64_t step, bool snapshot) = 0;
};

}  // namespace slipstream

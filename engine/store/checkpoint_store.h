// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/base/early_writeback.h"
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
  static Result<std::unique_ptr<CheckpointStore>> openToWrite(
      const std::filesystem::path& storeFolder, const std::string& runId,
      std::chrono::milliseconds lockTimeout = defaultLockTimeout);
  static Result<std::unique_ptr<CheckpointStore>> openToRead(
      const std::filesystem::path& storeFolder, const std::string& runId,
      std::chrono::milliseconds lockTimeout = defaultLockTimeout);
  ~CheckpointStore();
  CheckpointStore(const CheckpointStore&) = delete;
  CheckpointStore& operator=(const CheckpointStore&) = delete;

  /// Of the checkpoints, rising.
  std::vector<std::int64_t> steps() { return stepsOf(false); }
  Result<CheckpointManifest> manifest(std::int64_t step) { return manifestOf(step, false); }
  /// Of the snapshots, rising.
  std::vector<std::int64_t> snapshotSteps() { return stepsOf(true); }
  Result<CheckpointManifest> snapshot(std::int64_t step) { return manifestOf(step, true); }
  /// Of both, by step.
  std::vector<StoredSize> sizes();
  /// The bytes of a stored tensor; throws Error where a checksum does not hold.
  std::vector<std::byte> read(const std::string& hash);
  bool has(const std::string& hash) { return storedBytes(hash) >= 0; }

  // One checkpoint or snapshot at a time: begin, parts of the tensors that are not stored yet, then complete or
  // abandon. Where another program holds the file, begin and complete throw StoreBusy at once and may be called again:
  // nothing that was added is lost.
  void begin();
  void addPart(const std::string& hash, std::int64_t index, std::span<const std::byte> bytes);
  /// Makes the checkpoint visible and durable (replacing one of the same step and kind); returns the bytes that were
  /// new.
  std::int64_t complete(const CheckpointManifest& manifest);
  void abandon();
  /// Forgets a checkpoint and the tensors that no other one uses.
  void remove(std::int64_t step);
  /// Gives the disk back what removed tensors have left. Rewrites the file: for what people remove, not for runs.
  void compact();
  /// Every tensor of every checkpoint is there and its hash holds; one failure each where not.
  Failures verify();
  /// The same of one checkpoint or snapshot, which is a failure itself where it is not there.
  Failures verify(std::int64_t step, bool snapshot);

 private:
  explicit CheckpointStore(std::unique_ptr<Database> database);
  static Result<std::unique_ptr<CheckpointStore>> open(const std::filesystem::path& storeFolder,
                                                       const std::string& runId, StoreAccess access,
                                                       std::chrono::milliseconds lockTimeout);
  // Reading: checkpoint_store.cpp.
  std::vector<std::int64_t> stepsOf(bool snapshots);
  Result<CheckpointManifest> manifestOf(std::int64_t step, bool snapshot);
  /// Bytes of a stored tensor; -1 where there is none.
  std::int64_t storedBytes(const std::string& hash);
  void verifyTensor(const std::string& hash, std::int64_t step, const std::string& name, Failures& failures);
  // Writing: checkpoint_writing.cpp.
  std::int64_t keepAdded(const TensorRecord& tensor);
  std::int64_t writeAll(const CheckpointManifest& manifest);
  void erase(std::int64_t step, int kind);
  void insert(const CheckpointManifest& manifest);
  void dropUnused();

  std::unique_ptr<Database> database_;
  EarlyWriteback writeback_;
  std::set<std::string> added_;             ///< tensors of which parts came since begin()
  std::optional<std::int64_t> unfinished_;  ///< new bytes of a checkpoint of which all but the commit is done
};

}  // namespace slipstream

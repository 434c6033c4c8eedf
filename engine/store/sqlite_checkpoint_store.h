// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/early_writeback.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/database.h"

namespace slipstream {

/// What CheckpointStore opens: reading stands in checkpoint_store.cpp, writing in checkpoint_writing.cpp.
class SqliteCheckpointStore final : public CheckpointStore {
 public:
  explicit SqliteCheckpointStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::vector<std::int64_t> steps() override { return stepsOf(false); }
  Result<CheckpointManifest> manifest(std::int64_t step) override { return kept(step, false); }
  std::vector<std::int64_t> snapshotSteps() override { return stepsOf(true); }
  Result<CheckpointManifest> snapshot(std::int64_t step) override { return kept(step, true); }
  std::vector<StoredSize> sizes() override;
  std::vector<std::byte> read(const std::string& hash) override;
  bool has(const std::string& hash) override { return storedBytes(hash) >= 0; }

  void begin() override;
  void addPart(const std::string& hash, std::int64_t index, std::span<const std::byte> bytes) override;
  std::int64_t complete(const CheckpointManifest& manifest) override;
  void abandon() override;
  void remove(std::int64_t step) override;
  void compact() override { database_->execute("VACUUM"); }
  Failures verify() override;
  Failures verify(std::int64_t step, bool snapshot) override;

 private:
  std::vector<std::int64_t> stepsOf(bool snapshots);
  Result<CheckpointManifest> kept(std::int64_t step, bool snapshot);
  /// Bytes of a stored tensor; -1 where there is none.
  std::int64_t storedBytes(const std::string& hash);
  std::int64_t keepAdded(const TensorRecord& tensor);
  std::int64_t writeAll(const CheckpointManifest& manifest);
  void erase(std::int64_t step, int kind);
  void insert(const CheckpointManifest& manifest);
  void dropUnused();
  void verifyTensor(const std::string& hash, std::int64_t step, const std::string& name, Failures& failures);

  std::unique_ptr<Database> database_;
  EarlyWriteback writeback_;
  std::set<std::string> added_;             ///< tensors of which parts came since begin()
  std::optional<std::int64_t> unfinished_;  ///< new bytes of a checkpoint of which all but the commit is done
};

}  // namespace slipstream

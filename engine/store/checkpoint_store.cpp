// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint_store.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/store/database.h"
#include "engine/store/schema.h"

namespace slipstream {
namespace {

constexpr std::string_view checkpointFolder = "checkpoints";

// Weights are large and written in one go: big pages, and a rollback journal, which does not copy new pages twice as a
// write-ahead log does. A small cache: nearly all pages have been written when the commit comes. FULL: a checkpoint
// that is visible survives the loss of power.
const DatabaseKind checkpointKind{
    .applicationId = 0x534C5043,
    .what = "checkpoint file",
    .scripts = checkpointMigrations,
    .creationPragmas = "PRAGMA page_size = 65536",
    .pragmas =
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF;"
        "PRAGMA foreign_keys = ON; PRAGMA cache_size = -2000",
    .ifMissing = "put a copy of it in its place, or start the experiment anew with 'slipstream run'",
    .ifDamaged = "put a copy back in its place, or start the experiment anew with 'slipstream run'",
    // Below a store whose own path is as long as it may be.
    .longestFolder = DatabaseKind().longestFolder + 1 + checkpointFolder.size(),
};

std::vector<std::int64_t> shapeFrom(const std::string& text) {
  std::vector<std::int64_t> shape;
  if (text.empty()) return shape;
  for (const std::string& size : split(text, ',')) shape.push_back(parseInteger(size).value_or(0));
  return shape;
}

}  // namespace

CheckpointStore::CheckpointStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

CheckpointStore::~CheckpointStore() = default;

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::open(const std::filesystem::path& storeFolder,
                                                               const std::string& runId, StoreAccess access,
                                                               std::chrono::milliseconds lockTimeout) {
  SLIPSTREAM_TRY(database, Database::open(checkpointFile(storeFolder, runId), access, checkpointKind, lockTimeout));
  return std::unique_ptr<CheckpointStore>(new CheckpointStore(std::move(database)));
}

std::vector<std::int64_t> CheckpointStore::stepsOf(bool snapshots) {
  std::vector<std::int64_t> steps;
  Query rows = database_->query("SELECT step FROM checkpoint WHERE snapshot = ? ORDER BY step", snapshots ? 1 : 0);
  while (rows.next()) steps.push_back(rows.integer(0));
  return steps;
}

std::vector<StoredSize> CheckpointStore::sizes() {
  std::vector<StoredSize> sizes;
  Query rows = database_->query(
      "SELECT step, snapshot, attempt,"
      " (SELECT ifnull(sum(bytes), 0) FROM tensor t JOIN blob USING (hash)"
      "  WHERE t.step = c.step AND t.snapshot = c.snapshot),"
      " (SELECT ifnull(sum(bytes), 0) FROM blob b"
      "  WHERE hash IN (SELECT hash FROM tensor t WHERE t.step = c.step AND t.snapshot = c.snapshot)"
      "  AND NOT EXISTS (SELECT 1 FROM tensor o WHERE o.hash = b.hash AND (o.step, o.snapshot) <> (c.step, "
      "c.snapshot)))"
      " FROM checkpoint c ORDER BY step, snapshot");
  while (rows.next()) {
    sizes.push_back({rows.integer(0), rows.integer(1) != 0, rows.smallInteger(2), rows.integer(3), rows.integer(4)});
  }
  return sizes;
}

Result<CheckpointManifest> CheckpointStore::manifestOf(std::int64_t step, bool snapshot) {
  Snapshot view(*database_);
  CheckpointManifest manifest;
  manifest.step = step;
  manifest.snapshot = snapshot;
  Query found = database_->query("SELECT attempt, full, progress FROM checkpoint WHERE step = ? AND snapshot = ?", step,
                                 snapshot ? 1 : 0);
  if (!found.next()) {
    if (snapshot) {
      return fail("snapshot", std::to_string(step), "the run has no snapshot of this step",
                  "resume it from an earlier step: 'slipstream resume RUN --from STEP'");
    }
    return fail("checkpoint", std::to_string(step), "the run has no checkpoint of this step",
                "'slipstream checkpoints RUN' lists them");
  }
  manifest.attempt = found.smallInteger(0);
  manifest.full = found.integer(1) != 0;
  manifest.progressText = found.text(2);
  Query rows = database_->query(
      "SELECT name, dtype, shape, shard, hash, bytes FROM tensor JOIN blob USING (hash) WHERE step = ?"
      " AND snapshot = ? ORDER BY position",
      step, snapshot ? 1 : 0);
  while (rows.next()) {
    manifest.tensors.push_back(
        {rows.text(0), rows.text(1), shapeFrom(rows.text(2)), rows.smallInteger(3), rows.text(4), rows.integer(5)});
  }
  return manifest;
}

std::int64_t CheckpointStore::storedBytes(const std::string& hash) {
  Query row = database_->query("SELECT bytes FROM blob WHERE hash = ?", hash);
  return row.next() ? row.integer(0) : -1;
}

std::vector<std::byte> CheckpointStore::read(const std::string& hash) {
  Snapshot snapshot(*database_);
  const std::int64_t size = storedBytes(hash);
  if (size < 0) throw Error("no checkpoint of this run holds a tensor with hash " + hash);
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(size));
  Query parts = database_->query("SELECT position, crc, data FROM part WHERE hash = ? ORDER BY position", hash);
  for (std::int64_t expected = 0; parts.next(); ++expected) {
    const auto part = bytesOf(parts.bytes(2));
    if (parts.integer(0) != expected || crc32c(part) != static_cast<std::uint32_t>(parts.integer(1))) {
      throw Error(fmt::format("part {} of the tensor with hash {} is damaged", expected, hash));
    }
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  if (bytes.size() != static_cast<std::size_t>(size)) {
    throw Error(fmt::format("the tensor with hash {} has {} of {} bytes", hash, bytes.size(), size));
  }
  return bytes;
}

void CheckpointStore::verifyTensor(const std::string& hash, std::int64_t step, const std::string& name,
                                   Failures& failures) {
  std::string problem;
  try {
    if (sha256(std::span<const std::byte>(read(hash))) != hash) problem = "its bytes do not match its hash";
  } catch (const StoreBusy&) {
    throw;
  } catch (const Error& error) {
    problem = error.what();
  }
  if (problem.empty()) return;
  failures.push_back({fmt::format("checkpoint {}, tensor {}", step, name), "", problem,
                      "resume from another checkpoint; this one cannot be used"});
}

Failures CheckpointStore::verify() {
  Failures failures = database_->verify();
  struct Use {
    std::string hash;
    std::int64_t step;
    std::string name;
  };
  std::vector<Use> uses;
  {
    Query rows = database_->query("SELECT hash, min(step), name FROM tensor GROUP BY hash");
    while (rows.next()) uses.push_back({rows.text(0), rows.integer(1), rows.text(2)});
  }
  for (const Use& use : uses) verifyTensor(use.hash, use.step, use.name, failures);
  return failures;
}

Failures CheckpointStore::verify(std::int64_t step, bool snapshot) {
  const auto found = manifestOf(step, snapshot);
  if (!found) return found.error();
  std::set<std::string> seen;
  Failures failures;
  for (const TensorRecord& tensor : found->tensors) {
    if (seen.insert(tensor.hash).second) verifyTensor(tensor.hash, step, tensor.name, failures);
  }
  return failures;
}

std::filesystem::path checkpointFile(const std::filesystem::path& storeFolder, const std::string& runId) {
  return storeFolder / checkpointFolder / (runId + ".db");
}

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::openToWrite(const std::filesystem::path& storeFolder,
                                                                      const std::string& runId,
                                                                      std::chrono::milliseconds lockTimeout) {
  return open(storeFolder, runId, StoreAccess::write, lockTimeout);
}

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::openToRead(const std::filesystem::path& storeFolder,
                                                                     const std::string& runId,
                                                                     std::chrono::milliseconds lockTimeout) {
  return open(storeFolder, runId, StoreAccess::read, lockTimeout);
}

}  // namespace slipstream

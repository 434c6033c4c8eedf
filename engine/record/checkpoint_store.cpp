#include "engine/record/checkpoint_store.h"

#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/record/database.h"
#include "engine/record/schema.h"

namespace slipstream {
namespace {

// Weights are large and written in one go: big pages, and a rollback journal, which does not copy new pages twice as a
// write-ahead log does. FULL: a checkpoint that is visible survives the loss of power.
const DatabaseKind checkpointKind{
    .applicationId = 0x534C5043,
    .what = "checkpoint file",
    .scripts = checkpointMigrations,
    .creationPragmas = "PRAGMA page_size = 65536",
    .pragmas =
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF;"
        "PRAGMA foreign_keys = ON",
    .ifMissing = "put a copy of it in its place, or start the experiment anew with 'slipstream run'",
    .ifDamaged = "put a copy back in its place, or start the experiment anew with 'slipstream run'",
};

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return fmt::format("{}", fmt::join(shape, ","));
}

std::vector<std::int64_t> shapeFrom(const std::string& text) {
  std::vector<std::int64_t> shape;
  if (text.empty()) return shape;
  for (const std::string& size : split(text, ',')) shape.push_back(parseInteger(size).value_or(0));
  return shape;
}

class SqliteCheckpointStore final : public CheckpointStore {
 public:
  explicit SqliteCheckpointStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::vector<std::int64_t> steps() override { return stepsOf(false); }
  Result<CheckpointManifest> manifest(std::int64_t step) override { return kept(step, false); }
  std::vector<std::int64_t> snapshotSteps() override { return stepsOf(true); }
  Result<CheckpointManifest> snapshot(std::int64_t step) override { return kept(step, true); }
  std::vector<KeptSize> sizes() override;
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
  std::set<std::string> added_;             ///< tensors of which parts came since begin()
  std::optional<std::int64_t> unfinished_;  ///< new bytes of a checkpoint of which all but the commit is done
};

std::vector<std::int64_t> SqliteCheckpointStore::stepsOf(bool snapshots) {
  std::vector<std::int64_t> steps;
  Query rows = database_->query("SELECT step FROM checkpoint WHERE snapshot = ? ORDER BY step", snapshots ? 1 : 0);
  while (rows.next()) steps.push_back(rows.integer(0));
  return steps;
}

std::vector<KeptSize> SqliteCheckpointStore::sizes() {
  std::vector<KeptSize> sizes;
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

Result<CheckpointManifest> SqliteCheckpointStore::kept(std::int64_t step, bool snapshot) {
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

std::int64_t SqliteCheckpointStore::storedBytes(const std::string& hash) {
  Query row = database_->query("SELECT bytes FROM blob WHERE hash = ?", hash);
  return row.next() ? row.integer(0) : -1;
}

std::vector<std::byte> SqliteCheckpointStore::read(const std::string& hash) {
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

// From begin to end nothing waits for a lock: SQLite would wait for readers of the file each time that it moves a page
// out of its memory. It keeps the page then, and the commit is tried again until the readers have gone.
void SqliteCheckpointStore::begin() {
  database_->waitForLocks(false);
  try {
    database_->begin();
  } catch (...) {
    database_->waitForLocks(true);
    throw;
  }
  added_.clear();
  unfinished_.reset();
}

void SqliteCheckpointStore::addPart(const std::string& hash, std::int64_t index, std::span<const std::byte> bytes) {
  if (bytes.empty() || static_cast<std::int64_t>(bytes.size()) > checkpointPartBytes) {
    throw Error(fmt::format("a part of a tensor holds 1 to {} bytes, not {}", checkpointPartBytes, bytes.size()));
  }
  added_.insert(hash);
  database_->execute("INSERT OR IGNORE INTO part (hash, position, crc, data) VALUES (?, ?, ?, ?)", hash, index,
                     static_cast<std::int64_t>(crc32c(bytes)), bytes);
}

/// Makes a tensor whose parts have come one that is stored; returns its bytes, 0 where it was stored already.
std::int64_t SqliteCheckpointStore::keepAdded(const TensorRecord& tensor) {
  if (const std::int64_t stored = storedBytes(tensor.hash); stored >= 0) {
    if (stored == tensor.bytes) return 0;
    throw Error(
        fmt::format("tensor {} has {} bytes, but {} are stored under its hash", tensor.name, tensor.bytes, stored));
  }
  std::int64_t held = 0;
  {
    Query sum = database_->query("SELECT ifnull(sum(length(data)), 0) FROM part WHERE hash = ?", tensor.hash);
    sum.next();
    held = sum.integer(0);
  }
  if (held != tensor.bytes) {
    throw Error(fmt::format("tensor {} came with {} of {} bytes", tensor.name, held, tensor.bytes));
  }
  database_->execute("INSERT INTO blob (hash, bytes) VALUES (?, ?)", tensor.hash, tensor.bytes);
  return tensor.bytes;
}

void SqliteCheckpointStore::erase(std::int64_t step, int kind) {
  database_->execute("DELETE FROM tensor WHERE step = ? AND snapshot = ?", step, kind);
  database_->execute("DELETE FROM checkpoint WHERE step = ? AND snapshot = ?", step, kind);
}

void SqliteCheckpointStore::insert(const CheckpointManifest& manifest) {
  const int kind = manifest.snapshot ? 1 : 0;
  erase(manifest.step, kind);
  database_->execute("INSERT INTO checkpoint (step, snapshot, attempt, full, progress) VALUES (?, ?, ?, ?, ?)",
                     manifest.step, kind, manifest.attempt, manifest.full ? 1 : 0, manifest.progressText);
  std::int64_t position = 0;
  for (const TensorRecord& tensor : manifest.tensors) {
    database_->execute(
        "INSERT INTO tensor (step, snapshot, position, name, dtype, shape, shard, hash) VALUES (?, ?, ?, ?, ?, ?, ?, "
        "?)",
        manifest.step, kind, position++, tensor.name, tensor.dtype, shapeText(tensor.shape), tensor.shard, tensor.hash);
  }
}

std::int64_t SqliteCheckpointStore::writeAll(const CheckpointManifest& manifest) {
  std::int64_t newBytes = 0;
  for (const TensorRecord& tensor : manifest.tensors) newBytes += keepAdded(tensor);
  insert(manifest);
  for (const std::string& hash : added_) {
    if (!has(hash)) database_->execute("DELETE FROM part WHERE hash = ?", hash);
  }
  dropUnused();
  return newBytes;
}

std::int64_t SqliteCheckpointStore::complete(const CheckpointManifest& manifest) {
  if (!unfinished_) unfinished_ = writeAll(manifest);
  database_->commit();
  database_->waitForLocks(true);
  added_.clear();
  return *std::exchange(unfinished_, std::nullopt);
}

void SqliteCheckpointStore::abandon() {
  database_->rollback();
  database_->waitForLocks(true);
  added_.clear();
  unfinished_.reset();
}

void SqliteCheckpointStore::dropUnused() {
  std::vector<std::string> unused;
  {
    Query rows =
        database_->query("SELECT hash FROM blob WHERE NOT EXISTS (SELECT 1 FROM tensor WHERE tensor.hash = blob.hash)");
    while (rows.next()) unused.push_back(rows.text(0));
  }
  for (const std::string& hash : unused) {
    database_->execute("DELETE FROM part WHERE hash = ?", hash);
    database_->execute("DELETE FROM blob WHERE hash = ?", hash);
  }
}

void SqliteCheckpointStore::remove(std::int64_t step) {
  Transaction transaction(*database_);
  erase(step, 0);
  dropUnused();
  transaction.commit();
}

void SqliteCheckpointStore::verifyTensor(const std::string& hash, std::int64_t step, const std::string& name,
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

Failures SqliteCheckpointStore::verify() {
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

Failures SqliteCheckpointStore::verify(std::int64_t step, bool snapshot) {
  const auto found = kept(step, snapshot);
  if (!found) return found.error();
  std::set<std::string> seen;
  Failures failures;
  for (const TensorRecord& tensor : found->tensors) {
    if (seen.insert(tensor.hash).second) verifyTensor(tensor.hash, step, tensor.name, failures);
  }
  return failures;
}

Result<std::unique_ptr<CheckpointStore>> open(const std::filesystem::path& storeFolder, const std::string& runId,
                                              StoreAccess access, std::chrono::milliseconds patience) {
  SLIPSTREAM_TRY(database, Database::open(checkpointFile(storeFolder, runId), access, checkpointKind, patience));
  return std::make_unique<SqliteCheckpointStore>(std::move(database));
}

}  // namespace

std::filesystem::path checkpointFile(const std::filesystem::path& storeFolder, const std::string& runId) {
  return storeFolder / "checkpoints" / (runId + ".db");
}

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::openToWrite(const std::filesystem::path& storeFolder,
                                                                      const std::string& runId,
                                                                      std::chrono::milliseconds patience) {
  return open(storeFolder, runId, StoreAccess::write, patience);
}

Result<std::unique_ptr<CheckpointStore>> CheckpointStore::openToRead(const std::filesystem::path& storeFolder,
                                                                     const std::string& runId,
                                                                     std::chrono::milliseconds patience) {
  return open(storeFolder, runId, StoreAccess::read, patience);
}

}  // namespace slipstream

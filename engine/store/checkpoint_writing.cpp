// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/database.h"

namespace slipstream {
namespace {

std::string shapeColumn(const std::vector<std::int64_t>& shape) {
  return fmt::format("{}", fmt::join(shape, ","));
}

}  // namespace

// From begin to end nothing waits for a lock: SQLite would wait for readers of the file each time that it moves a page
// out of its memory. It keeps the page then, and the commit is tried again until the readers have gone.
void CheckpointStore::begin() {
  database_->waitForLocks(false);
  try {
    database_->begin();
  } catch (...) {
    database_->waitForLocks(true);
    throw;
  }
  writeback_ = EarlyWriteback(database_->file());
  added_.clear();
  unfinished_.reset();
}

void CheckpointStore::addPart(const std::string& hash, std::int64_t index, std::span<const std::byte> bytes) {
  if (bytes.empty() || static_cast<std::int64_t>(bytes.size()) > checkpointPartBytes) {
    throw Error(fmt::format("a part of a tensor holds 1 to {} bytes, not {}", checkpointPartBytes, bytes.size()));
  }
  added_.insert(hash);
  database_->execute("INSERT OR IGNORE INTO part (hash, position, crc, data) VALUES (?, ?, ?, ?)", hash, index,
                     static_cast<std::int64_t>(crc32c(bytes)), bytes);
  writeback_.wrote(std::ssize(bytes));
}

/// Makes a tensor whose parts have come one that is stored; returns its bytes, 0 where it was stored already.
std::int64_t CheckpointStore::keepAdded(const TensorRecord& tensor) {
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

void CheckpointStore::erase(std::int64_t step, int kind) {
  database_->execute("DELETE FROM tensor WHERE step = ? AND snapshot = ?", step, kind);
  database_->execute("DELETE FROM checkpoint WHERE step = ? AND snapshot = ?", step, kind);
}

void CheckpointStore::insert(const CheckpointManifest& manifest) {
  const int kind = manifest.snapshot ? 1 : 0;
  erase(manifest.step, kind);
  database_->execute("INSERT INTO checkpoint (step, snapshot, attempt, full, progress) VALUES (?, ?, ?, ?, ?)",
                     manifest.step, kind, manifest.attempt, manifest.full ? 1 : 0, manifest.progressText);
  std::int64_t position = 0;
  for (const TensorRecord& tensor : manifest.tensors) {
    database_->execute(
        "INSERT INTO tensor (step, snapshot, position, name, dtype, shape, shard, hash) VALUES (?, ?, ?, ?, ?, ?, ?, "
        "?)",
        manifest.step, kind, position++, tensor.name, tensor.dtype, shapeColumn(tensor.shape), tensor.shard,
        tensor.hash);
  }
}

std::int64_t CheckpointStore::writeAll(const CheckpointManifest& manifest) {
  std::int64_t newBytes = 0;
  for (const TensorRecord& tensor : manifest.tensors) newBytes += keepAdded(tensor);
  insert(manifest);
  for (const std::string& hash : added_) {
    if (!has(hash)) database_->execute("DELETE FROM part WHERE hash = ?", hash);
  }
  dropUnused();
  return newBytes;
}

std::int64_t CheckpointStore::complete(const CheckpointManifest& manifest) {
  if (!unfinished_) unfinished_ = writeAll(manifest);
  database_->commit();
  database_->waitForLocks(true);
  added_.clear();
  return *std::exchange(unfinished_, std::nullopt);
}

void CheckpointStore::abandon() {
  database_->rollback();
  database_->waitForLocks(true);
  added_.clear();
  unfinished_.reset();
}

void CheckpointStore::dropUnused() {
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

void CheckpointStore::remove(std::int64_t step) {
  Transaction transaction(*database_);
  erase(step, 0);
  dropUnused();
  transaction.commit();
}

void CheckpointStore::compact() {
  database_->execute("VACUUM");
}

}  // namespace slipstream

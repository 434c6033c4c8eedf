// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint_store.h"

#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/store/database.h"
#include "engine/store/schema.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;

std::vector<std::byte> randomBytes(std::size_t count, std::uint64_t seed) {
  Random random(seed, RandomStream::test);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  return bytes;
}

class CheckpointStoreTest : public ::testing::Test {
 protected:
  static std::unique_ptr<CheckpointStore> open(const std::filesystem::path& folder) {
    return std::move(CheckpointStore::openToWrite(folder, "run").value());
  }
  void addParts(const std::vector<std::byte>& bytes, const std::string& hash) {
    const std::span<const std::byte> all(bytes);
    for (std::size_t at = 0, index = 0; at < all.size(); at += checkpointPartBytes, ++index) {
      const auto part = all.subspan(at, std::min<std::size_t>(checkpointPartBytes, all.size() - at));
      store->addPart(hash, static_cast<std::int64_t>(index), part);
    }
  }
  /// Saves named tensors the way the hub does: only what is not stored yet is sent.
  std::int64_t save(std::int64_t step, const std::map<std::string, std::vector<std::byte>>& tensors,
                    bool snapshot = false) {
    CheckpointManifest manifest;
    manifest.snapshot = snapshot;
    manifest.step = step;
    manifest.attempt = 1;
    manifest.progressText = "{\"next\":3}";
    store->begin();
    for (const auto& [name, bytes] : tensors) {
      const std::string hash = sha256(std::span<const std::byte>(bytes));
      if (!store->has(hash)) addParts(bytes, hash);
      manifest.tensors.push_back(
          {name, "F32", {static_cast<std::int64_t>(bytes.size() / 4)}, -1, hash, std::ssize(bytes)});
    }
    return store->complete(manifest);
  }

  test::TemporaryFolder folder;
  std::unique_ptr<CheckpointStore> store = open(folder.path());
};

TEST_F(CheckpointStoreTest, IsReadBackByteForByte) {
  const auto small = randomBytes(12, 1);
  const auto large = randomBytes(3 * checkpointPartBytes + 20, 2);
  EXPECT_EQ(save(7, {{"small", small}, {"large", large}, {"none", {}}}), std::ssize(small) + std::ssize(large));
  const auto reader = std::move(CheckpointStore::openToRead(folder.path(), "run").value());
  EXPECT_THAT(reader->steps(), ElementsAre(7));
  const CheckpointManifest manifest = reader->manifest(7).value();
  EXPECT_EQ(manifest.progressText, "{\"next\":3}");
  ASSERT_EQ(manifest.tensors.size(), 3U);
  EXPECT_EQ(manifest.tensors[0].name, "large");
  EXPECT_EQ(reader->read(manifest.tensors[0].hash), large);
  EXPECT_TRUE(reader->read(manifest.tensors[1].hash).empty());
  EXPECT_EQ(reader->read(manifest.tensors[2].hash), small);
  EXPECT_EQ(manifest.tensors[2].shape, std::vector<std::int64_t>{3});
  EXPECT_TRUE(store->verify().empty());
}

TEST_F(CheckpointStoreTest, ASnapshotSharesTensorsWithTheCheckpointOfItsStepAndOutlivesIt) {
  const auto weights = randomBytes(400, 1);
  EXPECT_EQ(save(5, {{"w", weights}}, true), 400);
  EXPECT_EQ(save(5, {{"w", weights}, {"momentum/w", randomBytes(400, 2)}}), 400);
  EXPECT_THAT(store->steps(), ElementsAre(5));
  EXPECT_THAT(store->snapshotSteps(), ElementsAre(5));
  store->remove(5);
  EXPECT_THAT(store->steps(), ElementsAre());
  EXPECT_FALSE(store->manifest(5));
  const CheckpointManifest manifest = store->snapshot(5).value();
  EXPECT_TRUE(manifest.snapshot);
  EXPECT_EQ(store->read(manifest.tensors.at(0).hash), weights);
  EXPECT_TRUE(store->verify().empty());
}

TEST_F(CheckpointStoreTest, AFileOfTheFirstVersionIsBroughtForwardWithItsCheckpoints) {
  const auto weights = randomBytes(400, 1);
  store = nullptr;
  const auto file = folder.path() / "checkpoints" / "old.db";
  {
    const DatabaseKind first{.applicationId = 0x534C5043,
                             .what = "checkpoint file",
                             .scripts = std::span(checkpointMigrations).first(1),
                             .creationPragmas = "",
                             .pragmas = "PRAGMA foreign_keys = ON"};
    const auto old = std::move(Database::open(file, StoreAccess::write, first).value());
    old->execute("INSERT INTO checkpoint VALUES (9, 2, 1, '{}')");
    old->execute("INSERT INTO blob VALUES ('ab', 0)");
    old->execute("INSERT INTO tensor VALUES (9, 0, 'w', 'F32', '0', -1, 'ab')");
  }
  const auto opened = std::move(CheckpointStore::openToWrite(folder.path(), "old").value());
  EXPECT_THAT(opened->steps(), ElementsAre(9));
  EXPECT_THAT(opened->snapshotSteps(), ElementsAre());
  const CheckpointManifest manifest = opened->manifest(9).value();
  EXPECT_EQ(manifest.attempt, 2);
  EXPECT_EQ(manifest.tensors.at(0).name, "w");
}

TEST_F(CheckpointStoreTest, AFrozenTensorIsStoredOnce) {
  const auto frozen = randomBytes(1000, 1);
  save(1, {{"a", frozen}, {"b", randomBytes(400, 2)}});
  EXPECT_EQ(save(2, {{"a", frozen}, {"b", randomBytes(400, 3)}}), 400);
  EXPECT_EQ(save(3, {{"a", frozen}, {"twin", frozen}}), 0);
}

TEST_F(CheckpointStoreTest, RemovingKeepsWhatAnotherCheckpointUses) {
  const auto shared = randomBytes(1000, 1);
  const auto own = randomBytes(400, 2);
  save(1, {{"a", shared}, {"b", own}});
  save(2, {{"a", shared}});
  store->remove(1);
  EXPECT_THAT(store->steps(), ElementsAre(2));
  EXPECT_FALSE(store->manifest(1));
  EXPECT_TRUE(store->has(sha256(std::span<const std::byte>(shared))));
  EXPECT_FALSE(store->has(sha256(std::span<const std::byte>(own))));
  EXPECT_TRUE(store->verify().empty());
}

TEST_F(CheckpointStoreTest, ReplacesOneOfTheSameStep) {
  save(1, {{"a", randomBytes(100, 1)}});
  const auto newer = randomBytes(100, 2);
  save(1, {{"a", newer}});
  EXPECT_THAT(store->steps(), ElementsAre(1));
  EXPECT_EQ(store->read(store->manifest(1)->tensors[0].hash), newer);
  EXPECT_FALSE(store->has(sha256(std::span<const std::byte>(randomBytes(100, 1)))));
}

TEST_F(CheckpointStoreTest, AnAbandonedOrUnfinishedOneIsAbsent) {
  save(1, {{"a", randomBytes(100, 1)}});
  const auto bytes = randomBytes(100, 2);
  store->begin();
  addParts(bytes, sha256(std::span<const std::byte>(bytes)));
  store->abandon();
  store->begin();
  addParts(bytes, sha256(std::span<const std::byte>(bytes)));
  store = nullptr;  // the supervisor dies
  store = open(folder.path());
  EXPECT_THAT(store->steps(), ElementsAre(1));
  EXPECT_FALSE(store->has(sha256(std::span<const std::byte>(bytes))));
}

TEST_F(CheckpointStoreTest, ATensorThatLacksBytesIsRefused) {
  const auto bytes = randomBytes(100, 1);
  const std::string hash = sha256(std::span<const std::byte>(bytes));
  store->begin();
  store->addPart(hash, 0, std::span<const std::byte>(bytes).first(60));
  CheckpointManifest manifest;
  manifest.tensors.push_back({"a", "F32", {25}, -1, hash, 100});
  EXPECT_THROW(store->complete(manifest), Error);
  store->abandon();
  EXPECT_TRUE(store->steps().empty());
  store->begin();
  EXPECT_THROW(store->addPart(hash, 0, randomBytes(checkpointPartBytes + 1, 1)), Error);
  store->abandon();
}

TEST_F(CheckpointStoreTest, NoticesDamage) {
  const auto bytes = randomBytes(400, 1);
  save(1, {{"a", bytes}});
  const std::string hash = sha256(std::span<const std::byte>(bytes));
  store = nullptr;
  {
    SQLite::Database raw((folder.path() / "checkpoints/run.db").string(), SQLite::OPEN_READWRITE);
    raw.exec("UPDATE part SET data = zeroblob(400)");
  }
  store = open(folder.path());
  EXPECT_THROW(store->read(hash), Error);
  const Failures failures = store->verify();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].where, "checkpoint 1, tensor a");
}

TEST_F(CheckpointStoreTest, AReaderThatStaysDelaysTheCommitAndNothingIsLost) {
  save(1, {{"a", randomBytes(100, 1)}});
  SQLite::Database reader((folder.path() / "checkpoints/run.db").string(), SQLite::OPEN_READONLY);
  reader.exec("BEGIN; SELECT count(*) FROM part");
  const auto bytes = randomBytes(6 * checkpointPartBytes, 2);  // more than SQLite keeps in its memory
  const std::string hash = sha256(std::span<const std::byte>(bytes));
  CheckpointManifest manifest;
  manifest.step = 2;
  manifest.tensors.push_back({"a", "F32", {std::ssize(bytes) / 4}, -1, hash, std::ssize(bytes)});
  store->begin();
  addParts(bytes, hash);
  EXPECT_THROW(store->complete(manifest), StoreBusy);
  EXPECT_THROW(store->complete(manifest), StoreBusy);
  reader.exec("COMMIT");
  EXPECT_EQ(store->complete(manifest), std::ssize(bytes));
  EXPECT_THAT(store->steps(), ElementsAre(1, 2));
  EXPECT_EQ(store->read(hash), bytes);
}

TEST_F(CheckpointStoreTest, BeginsOnceAnotherWriterHasGone) {
  SQLite::Database other((folder.path() / "checkpoints/run.db").string(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN EXCLUSIVE");
  EXPECT_THROW(store->begin(), StoreBusy);
  other.exec("ROLLBACK");
  save(1, {{"a", randomBytes(100, 1)}});
  EXPECT_THAT(store->steps(), ElementsAre(1));
}

TEST_F(CheckpointStoreTest, AMissingFileIsAFailureAndNothingIsMade) {
  EXPECT_FALSE(CheckpointStore::openToRead(folder.path(), "other"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "checkpoints/other.db"));
}

}  // namespace
}  // namespace slipstream

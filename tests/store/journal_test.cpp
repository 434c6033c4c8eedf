// SPDX-License-Identifier: GPL-3.0-or-later
// Stores on file systems that machines share: with a rollback journal, where somebody asks for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/environment_variable.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

constexpr const char* variable = "SLIPSTREAM_STORE_JOURNAL";

TEST(StoreJournal, ARollbackJournalLeavesNoLogThatMachinesWouldHaveToShare) {
  const test::TemporaryFolder folder;
  const auto log = folder.path() / "store.db-wal";
  std::string id;
  {
    const test::EnvironmentVariable journal(variable, "rollback");
    const auto store = test::openStore(folder.path());
    id = store->createRun(test::sampleRun());
    const auto reader = test::openStore(folder.path(), StoreAccess::read);
    EXPECT_EQ(reader->find(id)->state, RunState::queued);
    store->setState(id, RunState::running, "");
    EXPECT_EQ(reader->find(id)->state, RunState::running);
    EXPECT_FALSE(std::filesystem::exists(log));
  }
  const auto store = test::openStore(folder.path());
  store->setState(id, RunState::done, "");
  EXPECT_TRUE(std::filesystem::exists(log)) << "as where nobody asks for another one";
}

TEST(StoreJournal, AnotherWordIsRefused) {
  const test::TemporaryFolder folder;
  const test::EnvironmentVariable journal(variable, "none");
  const auto store = RunStore::open(folder.path(), StoreAccess::write);
  ASSERT_FALSE(store);
  EXPECT_THAT(toText(store.error()), HasSubstr("SLIPSTREAM_STORE_JOURNAL: is no journal of a store (found none)"));
}

}  // namespace
}  // namespace slipstream

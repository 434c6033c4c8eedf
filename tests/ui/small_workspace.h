// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/workspace/workspace.h"

namespace slipstream::test {

/// A workspace on a store of its own, that tests fill through `store`.
struct SmallWorkspace {
  TemporaryFolder folder;
  std::unique_ptr<RunStore> store = openStore(folder.path());
  ui::Workspace workspace;

  /// Opens the store and waits for its first look.
  void open() {
    ASSERT_TRUE(workspace.store().open(folder.path()));
    ASSERT_TRUE(settled());
  }

  /// What the window was asked to write has been written.
  bool written() {
    return test::eventually([&] { return !workspace.store().isWriting(); });
  }

  /// The window has seen what is in the store.
  bool settled() {
    if (!written()) return false;
    workspace.store().poll();
    const std::vector<RunRecord> runs = store->heads();
    const std::map<std::string, RunLabel> labels = store->labels();
    return test::eventually([&] {
      const auto snapshot = workspace.store().snapshot();
      return snapshot->runs.size() == runs.size() && std::all_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
               const ui::RunRow* row = snapshot->find(run.id);
               const auto label = labels.find(run.id);
               return row != nullptr && row->run.state == run.state && row->run.why == run.why &&
                      row->label == (label == labels.end() ? RunLabel{} : label->second);
             });
    });
  }
};

}  // namespace slipstream::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/hub/hub.h"
#include "engine/wire/link.h"

namespace slipstream::test {

/// A store with one run in a folder that goes with the test.
class StoreWithRun {
 public:
  /// `lockTimeout`: with the locks of others.
  explicit StoreWithRun(std::chrono::milliseconds lockTimeout = defaultLockTimeout) {
    std::filesystem::path pattern = std::filesystem::temp_directory_path() / "slipstream-wire-XXXXXX";
    std::string text = pattern.string();
    if (::mkdtemp(text.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = text;
    store_ = *RunStore::open(folder_ / "store", StoreAccess::write, lockTimeout);
    runId_ = store_->createRun({});
    store_->startAttempt(runId_, 0);
    checkpoints_ = *CheckpointStore::openToWrite(storeFolder(), runId_, lockTimeout);
  }
  ~StoreWithRun() { std::filesystem::remove_all(folder_); }
  StoreWithRun(const StoreWithRun&) = delete;
  StoreWithRun& operator=(const StoreWithRun&) = delete;

  std::filesystem::path storeFolder() const { return folder_ / "store"; }
  std::string endpoint() const { return "ipc://" + (folder_ / "hub").string(); }
  const std::string& runId() const { return runId_; }
  RunStore& store() { return *store_; }
  CheckpointStore& checkpoints() { return *checkpoints_; }
  /// For a test whose hub lives in another process.
  void close() { checkpoints_.reset(); }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<CheckpointStore> checkpoints_;
  std::string runId_;
};

class Listener final : public HubListener {
 public:
  void metrics(int, const MetricBlock& block) override { rows += static_cast<int>(block.steps.size()); }
  void event(const Event& event) override { events.push_back(event); }
  void checkpoint(const CheckpointRow& row) override { checkpoints.push_back(row); }
  int rows = 0;
  std::vector<Event> events;
  std::vector<CheckpointRow> checkpoints;
};

/// Runs `body` as `ranks` threads with a link each, and serves the hub meanwhile on this thread. Exceptions of bodies
/// come out after all have ended.
inline std::vector<RankStatus> serveLinks(Hub& hub, const LinkAddress& address, int ranks,
                                          const std::function<void(Link&, int)>& body,
                                          const std::function<void(Hub&)>& everyRound = {}) {
  std::atomic<int> running = ranks;
  std::vector<std::exception_ptr> broken(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto link = Link::connect(address, rank, [] {});
        body(*link, rank);
      } catch (...) {
        broken[static_cast<std::size_t>(rank)] = std::current_exception();
      }
      --running;
    });
  }
  while (running > 0) {
    hub.serve(std::chrono::milliseconds{20});
    if (everyRound) everyRound(hub);
  }
  hub.drain();
  for (auto& thread : threads) thread.join();
  for (const auto& exception : broken) {
    if (exception) std::rethrow_exception(exception);
  }
  return hub.ranks();
}

}  // namespace slipstream::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/hub.h"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/launch/checkpoint_queue.h"
#include "engine/launch/hub_socket.h"
#include "engine/store/checkpoint_removal.h"

namespace slipstream {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds commitEvery{50};
constexpr std::chrono::milliseconds retryBlockedEvery{500};
/// At the end, when nothing more comes, a store that is blocked gets this long.
constexpr std::chrono::seconds drainWithin{10};

class WorkerHub final : public Hub {
 public:
  WorkerHub(const HubSettings& settings, RunStore& store, CheckpointStore& checkpoints, HubListener& listener)
      : settings_(settings),
        store_(store),
        checkpoints_(checkpoints),
        listener_(listener),
        committed_(static_cast<std::size_t>(settings.ranks)),
        words_(static_cast<std::size_t>(settings.ranks)),
        socket_(settings.endpoint, settings.runId, settings.attempt, settings.ranks,
                {settings.planText, settings.checkpoint}),
        queue_(
            checkpoints, settings.ranks, settings.attempt, settings.checkpointPatience,
            [this](int rank, const Message& message) { socket_.send(rank, message); },
            [this](EventLevel level, const std::string& code, const std::string& text) { note(level, code, text); }) {}

  void serve(std::chrono::milliseconds longest) override {
    const auto untilCommit = std::chrono::duration_cast<std::chrono::milliseconds>(commitDue_ - Clock::now());
    const bool waiting = !batch_.empty();
    absorb(waiting ? std::clamp(untilCommit, std::chrono::milliseconds{0}, longest) : longest);
    if (Clock::now() >= commitDue_) commit();
    completeCheckpoint();
  }

  void drain() override {
    absorb(std::chrono::milliseconds{0});
    const auto until = Clock::now() + drainWithin;
    while (!settle() && Clock::now() < until) std::this_thread::sleep_for(retryBlockedEvery);
  }

  void setStop(StopKind stop) override { socket_.setStop(stop); }

  std::vector<RankStatus> ranks() const override {
    auto statuses = socket_.statuses();
    for (std::size_t rank = 0; rank < statuses.size(); ++rank) {
      const LastWord& word = words_[rank];
      statuses[rank].failure = word.failure;
      statuses[rank].finished = word.finished.has_value() && word.committed;
      statuses[rank].stopped = word.finished && word.finished->stopped;
      statuses[rank].stepsDone = word.finished ? word.finished->stepsDone : 0;
    }
    return statuses;
  }

  bool hasBegun() const override { return begun_; }

  std::optional<BlockedStore> blocked() const override {
    if (!blocked_) return std::nullopt;
    return BlockedStore{blockedSeconds(), blocked_->byLock};
  }

 private:
  /// What one commit writes: a rank's data, or (sequence 0) an event or checkpoint of the hub's own.
  struct Item {
    int rank = -1;
    std::uint64_t sequence = 0;
    std::variant<MetricBlock, message::EventNote, message::MemoryUse, CheckpointRow> content;
  };
  struct LastWord {
    std::optional<message::Finished> finished;
    std::string failure;
    bool committed = false;
  };
  struct Blocked {
    Clock::time_point since;
    bool byLock = false;
  };

  void absorb(std::chrono::milliseconds longest) {
    for (auto& incoming : socket_.take(longest)) {
      std::visit([&](auto& message) { receive(incoming.rank, message); }, incoming.message);
    }
  }

  void receive(int rank, message::Data& data) {
    std::visit([&](auto& content) { batch_.push_back({rank, data.sequence, std::move(content)}); }, data.content);
  }
  void receive(int rank, message::Hello& hello) {
    std::uint64_t& committed = committed_[static_cast<std::size_t>(rank)];
    committed = std::max(committed, hello.acknowledged);
    queue_.add(rank, CheckpointQueue::Reconnected{});
  }
  void receive(int rank, message::CheckpointTensor& offer) { queue_.add(rank, std::move(offer)); }
  void receive(int rank, message::CheckpointEnd& end) { queue_.add(rank, std::move(end)); }
  void receive(int rank, message::TensorPart& part) { queue_.add(rank, std::move(part)); }
  void receive(int rank, message::Fetch& fetch) { queue_.add(rank, std::move(fetch)); }
  void receive(int rank, message::CheckpointQuery& asked) { queue_.add(rank, asked); }
  void receive(int rank, message::Finished& finished) {
    words_[static_cast<std::size_t>(rank)] = {finished, "", false};
    commitDue_ = Clock::now();
  }
  void receive(int rank, message::Failed& failed) {
    LastWord& word = words_[static_cast<std::size_t>(rank)];
    if (word.failure.empty()) note(EventLevel::error, "worker.failed", failed.cause, rank);
    word = {std::nullopt, failed.cause, false};
    commitDue_ = Clock::now();
  }
  /// What only the hub says has no business here.
  template <class Other>
  void receive(int rank, Other&) {
    note(EventLevel::warning, "wire.unexpected", "a message that only the supervisor sends was ignored", rank);
  }

  void note(EventLevel level, const std::string& code, const std::string& text, int rank = -1) {
    batch_.push_back({rank, 0, message::EventNote{wallNanoseconds(), level, code, text}});
  }

  bool settle() {
    commit();
    completeCheckpoint();
    commit();
    return batch_.empty() && !queue_.isBlocked();
  }

  void commit() {
    commitDue_ = Clock::now() + commitEvery;
    if (!batch_.empty() && !write()) return;
    const std::vector<Item> written = std::exchange(batch_, {});
    if (blocked_) noteBlocked();
    blocked_.reset();
    acknowledge(written);
    for (const Item& item : written) announce(item);
  }

  /// One transaction; false where the store is blocked, and then nothing of the batch is written.
  bool write() {
    try {
      store_.begin();
      const bool begins = !begun_ && std::any_of(batch_.begin(), batch_.end(), isProgress);
      if (begins) forgetLaterCourse();
      for (const Item& item : batch_) {
        std::visit([&](const auto& content) { store(item, content); }, item.content);
      }
      store_.commit();
      begun_ = begun_ || begins;
    } catch (const StoreBlocked& error) {
      store_.rollback();
      if (!blocked_) blocked_ = Blocked{Clock::now(), false};
      blocked_->byLock = dynamic_cast<const StoreBusy*>(&error) != nullptr;
      commitDue_ = Clock::now() + retryBlockedEvery;
      return false;
    } catch (...) {
      store_.rollback();
      throw;
    }
    return true;
  }

  static bool isProgress(const Item& item) {
    return std::holds_alternative<MetricBlock>(item.content) || std::holds_alternative<CheckpointRow>(item.content);
  }

  /// Nothing may continue any more from what earlier attempts kept after the place where this one began.
  void forgetLaterCourse() {
    for (const CheckpointRow& row : store_.checkpoints(settings_.runId)) {
      const bool later = row.full && row.step > settings_.fromStep && row.attempt != settings_.attempt;
      if (later) store_.removeCheckpoint(settings_.runId, row.step);
    }
  }

  double blockedSeconds() const { return std::chrono::duration<double>(Clock::now() - blocked_->since).count(); }

  void noteBlocked() {
    if (blocked_->byLock) {
      note(EventLevel::warning, "store.locked",
           fmt::format("locked by another program for {:.0f} s", blockedSeconds()));
    } else {
      note(EventLevel::warning, "store.full", fmt::format("no room for {:.0f} s", blockedSeconds()));
    }
  }

  void acknowledge(const std::vector<Item>& written) {
    std::map<int, std::uint64_t> newest;
    for (const Item& item : written) {
      if (item.sequence > 0) newest[item.rank] = item.sequence;
    }
    for (const auto& [rank, sequence] : newest) {
      committed_[static_cast<std::size_t>(rank)] = sequence;
      socket_.acknowledge(rank, sequence);
    }
    for (std::size_t rank = 0; rank < words_.size(); ++rank) {
      LastWord& word = words_[rank];
      if (word.committed || (!word.finished && word.failure.empty())) continue;
      word.committed = true;
      socket_.send(static_cast<int>(rank), message::Heard{});
    }
  }

  void store(const Item& item, const MetricBlock& block) {
    store_.appendMetrics(settings_.runId, settings_.attempt, item.rank, static_cast<std::int64_t>(item.sequence),
                         block);
  }
  void store(const Item& item, const message::EventNote& note) {
    store_.addEvent(settings_.runId, toEvent(item, note));
  }
  void store(const Item& item, const message::MemoryUse& use) {
    store_.setMemory(settings_.runId, item.rank, use.bytes);
  }
  void store(const Item&, const CheckpointRow& row) { store_.addCheckpoint(settings_.runId, row); }

  Event toEvent(const Item& item, const message::EventNote& note) const {
    return {0, note.wallNanoseconds, settings_.attempt, item.rank, note.level, note.code, note.text};
  }

  void announce(const Item& item) {
    if (const auto* block = std::get_if<MetricBlock>(&item.content)) listener_.metrics(item.rank, *block);
    if (const auto* word = std::get_if<message::EventNote>(&item.content)) listener_.event(toEvent(item, *word));
    if (const auto* row = std::get_if<CheckpointRow>(&item.content)) listener_.checkpoint(*row);
  }

  void completeCheckpoint() {
    const std::optional<CheckpointRow> row = queue_.work(committed_);
    if (!row) return;
    batch_.push_back({-1, 0, *row});
    commit();
    // Only what stands in the store may push an older checkpoint out.
    if (batch_.empty()) forgetOldCheckpoints();
  }

  std::vector<std::int64_t> unpinnedSteps() {
    std::vector<std::int64_t> steps = checkpoints_.steps();
    std::erase_if(steps, [this](std::int64_t step) { return settings_.pinnedSteps.contains(step); });
    return steps;
  }

  /// What cannot be removed now goes with the next checkpoint.
  void forgetOldCheckpoints() {
    try {
      forgetUnlistedCheckpoints(store_, checkpoints_, settings_.runId);
      for (const std::int64_t step : checkpointsToRemove(unpinnedSteps(), settings_.keepCheckpoints)) {
        store_.removeCheckpoint(settings_.runId, step);
        checkpoints_.remove(step);
      }
    } catch (const Error& error) {
      note(EventLevel::warning, "checkpoint.not_removed", error.what());
    }
  }

  const HubSettings settings_;
  RunStore& store_;
  CheckpointStore& checkpoints_;
  HubListener& listener_;
  std::vector<Item> batch_;
  std::vector<std::uint64_t> committed_;
  std::vector<LastWord> words_;
  Clock::time_point commitDue_ = Clock::now();
  std::optional<Blocked> blocked_;
  bool begun_ = false;
  HubSocket socket_;
  CheckpointQueue queue_;
};

}  // namespace

std::unique_ptr<Hub> Hub::open(const HubSettings& settings, RunStore& store, CheckpointStore& checkpoints,
                               HubListener& listener) {
  return std::make_unique<WorkerHub>(settings, store, checkpoints, listener);
}

}  // namespace slipstream

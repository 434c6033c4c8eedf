#include "engine/wire/hub.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/record/checkpoint_policy.h"
#include "engine/wire/checkpoint_receiver.h"
#include "engine/wire/hub_socket.h"
#include "engine/wire/tensor_parts.h"

namespace slipstream {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds commitEvery{50};
constexpr std::chrono::milliseconds retryFullDiskEvery{1000};

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
        receiver_(
            checkpoints, settings.ranks, settings.attempt,
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
    commit();
    completeCheckpoint();
    commit();
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

  double secondsWithoutRoom() const override {
    return fullSince_ ? std::chrono::duration<double>(Clock::now() - *fullSince_).count() : 0;
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

  void absorb(std::chrono::milliseconds longest) {
    for (auto& incoming : socket_.take(longest)) {
      std::visit([&](auto& message) { receive(incoming.rank, message); }, incoming.message);
    }
  }

  void receive(int rank, message::Data& data) {
    std::visit([&](auto& content) { batch_.push_back({rank, data.sequence, std::move(content)}); }, data.content);
  }
  void receive(int rank, const message::Hello& hello) {
    std::uint64_t& committed = committed_[static_cast<std::size_t>(rank)];
    committed = std::max(committed, hello.acknowledged);
    receiver_.reconnected(rank);
  }
  void receive(int rank, const message::CheckpointTensor& offer) {
    whileThereIsRoom([&] { receiver_.offered(rank, offer); });
  }
  void receive(int rank, const message::CheckpointEnd& end) {
    whileThereIsRoom([&] { receiver_.ended(rank, end); });
  }
  void receive(int rank, const message::TensorPart& part) {
    whileThereIsRoom([&] { receiver_.part(rank, part); });
  }
  void receive(int rank, const message::Fetch& fetch) {
    if (fetched_.first != fetch.hash) fetched_ = {fetch.hash, checkpoints_.read(fetch.hash)};
    const std::int64_t parts = partCount(fetched_.second.size());
    for (std::int64_t index = 0; index < parts; ++index) {
      socket_.send(rank, tensorPart(fetch.hash, fetched_.second, index));
    }
  }
  void receive(int rank, const message::Finished& finished) {
    words_[static_cast<std::size_t>(rank)] = {finished, "", false};
    commitDue_ = Clock::now();
  }
  void receive(int rank, const message::Failed& failed) {
    LastWord& word = words_[static_cast<std::size_t>(rank)];
    if (word.failure.empty()) note(EventLevel::error, "worker.failed", failed.cause, rank);
    word = {std::nullopt, failed.cause, false};
    commitDue_ = Clock::now();
  }
  /// What only the hub says has no business here.
  template <class Other>
  void receive(int rank, const Other&) {
    note(EventLevel::warning, "wire.unexpected", "a message that only the supervisor sends was ignored", rank);
  }

  void note(EventLevel level, const std::string& code, const std::string& text, int rank = -1) {
    batch_.push_back({rank, 0, message::EventNote{wallNanoseconds(), level, code, text}});
  }

  void commit() {
    commitDue_ = Clock::now() + commitEvery;
    if (!batch_.empty() && !write()) return;
    const std::vector<Item> written = std::exchange(batch_, {});
    if (fullSince_) note(EventLevel::warning, "store.full", fmt::format("no room for {:.0f} s", secondsWithoutRoom()));
    fullSince_.reset();
    acknowledge(written);
    for (const Item& item : written) announce(item);
  }

  /// One transaction; false where the disk has no room, and then nothing of the batch is written.
  bool write() {
    try {
      store_.begin();
      for (const Item& item : batch_) {
        std::visit([&](const auto& content) { store(item, content); }, item.content);
      }
      store_.commit();
    } catch (const StoreFull&) {
      store_.rollback();
      if (!fullSince_) fullSince_ = Clock::now();
      commitDue_ = Clock::now() + retryFullDiskEvery;
      return false;
    } catch (...) {
      store_.rollback();
      throw;
    }
    return true;
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
    std::optional<CheckpointRow> row;
    whileThereIsRoom([&] { row = receiver_.completeWhenReady(committed_); });
    if (!row) return;
    batch_.push_back({-1, 0, *row});
    commit();
    // Only what stands in the store may push an older checkpoint out.
    if (batch_.empty()) whileThereIsRoom([&] { forgetOldCheckpoints(); });
  }

  void forgetOldCheckpoints() {
    for (const std::int64_t step : checkpointsToRemove(checkpoints_.steps(), settings_.keepCheckpoints)) {
      store_.removeCheckpoint(settings_.runId, step);
      checkpoints_.remove(step);
    }
  }

  /// Checkpoints are given up where there is no room for them; the older ones stay, and training goes on.
  void whileThereIsRoom(const std::function<void()>& write) {
    try {
      write();
    } catch (const StoreFull&) {
      receiver_.giveUp("the disk is full");
    }
  }

  const HubSettings settings_;
  RunStore& store_;
  CheckpointStore& checkpoints_;
  HubListener& listener_;
  std::vector<Item> batch_;
  std::vector<std::uint64_t> committed_;
  std::vector<LastWord> words_;
  std::pair<std::string, std::vector<std::byte>> fetched_;  ///< the last tensor asked for: ranks ask for the same ones
  Clock::time_point commitDue_ = Clock::now();
  std::optional<Clock::time_point> fullSince_;
  HubSocket socket_;
  CheckpointReceiver receiver_;
};

}  // namespace

std::unique_ptr<Hub> Hub::open(const HubSettings& settings, RunStore& store, CheckpointStore& checkpoints,
                               HubListener& listener) {
  return std::make_unique<WorkerHub>(settings, store, checkpoints, listener);
}

}  // namespace slipstream

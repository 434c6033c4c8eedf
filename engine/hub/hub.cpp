// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hub/hub.h"

#include <algorithm>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/store/checkpoint_removal.h"

namespace slipstream {
namespace {

constexpr std::chrono::milliseconds commitEvery{50};
constexpr std::chrono::milliseconds retryBlockedEvery{500};
/// At the end, when nothing more comes, a store that is blocked gets this long.
constexpr std::chrono::seconds drainWithin{10};

}  // namespace

Hub::Hub(HubSettings settings, RunStore& store, CheckpointStore& checkpoints, HubListener& listener)
    : settings_(std::move(settings)),
      store_(store),
      checkpoints_(checkpoints),
      listener_(listener),
      committed_(static_cast<std::size_t>(settings_.ranks)),
      finalMessages_(static_cast<std::size_t>(settings_.ranks)),
      socket_(settings_.address, settings_.runId, settings_.attempt, settings_.ranks,
              {settings_.planText, settings_.checkpoint}),
      queue_(
          checkpoints, settings_.ranks, settings_.attempt, settings_.checkpointLockTimeout,
          [this](int rank, const Message& message) { socket_.send(rank, message); },
          [this](EventLevel level, const std::string& code, const std::string& text) { note(level, code, text); }) {}

void Hub::serve(std::chrono::milliseconds longest) {
  const auto untilCommit = std::chrono::duration_cast<std::chrono::milliseconds>(commitDue_ - Clock::now());
  const bool waiting = !batch_.empty();
  receiveAll(waiting ? std::clamp(untilCommit, std::chrono::milliseconds{0}, longest) : longest);
  if (Clock::now() >= commitDue_) commit();
  completeCheckpoint();
}

void Hub::drain() {
  receiveAll(std::chrono::milliseconds{0});
  const auto until = Clock::now() + drainWithin;
  while (!flush() && Clock::now() < until) std::this_thread::sleep_for(retryBlockedEvery);
}

std::vector<RankStatus> Hub::ranks() const {
  auto statuses = socket_.statuses();
  for (std::size_t rank = 0; rank < statuses.size(); ++rank) {
    const FinalMessage& last = finalMessages_[rank];
    statuses[rank].failure = last.failure;
    statuses[rank].finished = last.finished.has_value() && last.committed;
    statuses[rank].stopped = last.finished && last.finished->stopped;
    statuses[rank].stepsDone = last.finished ? last.finished->stepsDone : 0;
  }
  return statuses;
}

std::optional<BlockedStore> Hub::blocked() const {
  if (!blocked_) return std::nullopt;
  return BlockedStore{blockedSeconds(), blocked_->byLock};
}

void Hub::receiveAll(std::chrono::milliseconds longest) {
  for (auto& incoming : socket_.take(longest)) {
    std::visit([&](auto& message) { receive(incoming.rank, message); }, incoming.message);
  }
}

void Hub::receive(int rank, wire::Data& data) {
  std::visit([&](auto& content) { batch_.push_back({rank, data.sequence, std::move(content)}); }, data.content);
}

void Hub::receive(int rank, wire::Hello& hello) {
  std::uint64_t& committed = committed_[static_cast<std::size_t>(rank)];
  committed = std::max(committed, hello.acknowledged);
}

void Hub::receive(int rank, wire::Finished& finished) {
  FinalMessage& last = finalMessages_[static_cast<std::size_t>(rank)];
  // Said again over a new connection: the answer to the first time was lost.
  if (last.finished && last.committed) return socket_.send(rank, wire::FinalAck{});
  last = {finished, "", false};
  commitDue_ = Clock::now();
}

void Hub::receive(int rank, wire::Failed& failed) {
  FinalMessage& last = finalMessages_[static_cast<std::size_t>(rank)];
  if (last.failure.empty()) note(EventLevel::error, "worker.failed", failed.cause, rank);
  last = {std::nullopt, failed.cause, false};
  commitDue_ = Clock::now();
}

void Hub::note(EventLevel level, const std::string& code, const std::string& text, int rank) {
  batch_.push_back({rank, 0, wire::EventNote{wallNanoseconds(), level, code, text}});
}

bool Hub::flush() {
  commit();
  completeCheckpoint();
  commit();
  return batch_.empty() && !queue_.isBlocked();
}

void Hub::commit() {
  commitDue_ = Clock::now() + commitEvery;
  if (!batch_.empty() && !write()) return;
  const std::vector<Item> written = std::exchange(batch_, {});
  if (blocked_) noteBlocked();
  blocked_.reset();
  acknowledge(written);
  for (const Item& item : written) announce(item);
}

bool Hub::write() {
  const auto isProgress = [](const Item& item) {
    return std::holds_alternative<MetricBlock>(item.content) || std::holds_alternative<CheckpointRow>(item.content);
  };
  try {
    store_.begin();
    const bool begins = !begun_ && std::ranges::any_of(batch_, isProgress);
    if (begins) removeLaterCheckpoints();
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

void Hub::removeLaterCheckpoints() {
  for (const CheckpointRow& row : store_.checkpoints(settings_.runId)) {
    const bool later = row.full && row.step > settings_.fromStep && row.attempt != settings_.attempt;
    if (later) store_.removeCheckpoint(settings_.runId, row.step);
  }
}

double Hub::blockedSeconds() const {
  return std::chrono::duration<double>(Clock::now() - blocked_->since).count();
}

void Hub::noteBlocked() {
  if (blocked_->byLock) {
    note(EventLevel::warning, "store.locked", fmt::format("locked by another program for {:.0f} s", blockedSeconds()));
  } else {
    note(EventLevel::warning, "store.full", fmt::format("no room for {:.0f} s", blockedSeconds()));
  }
}

void Hub::acknowledge(const std::vector<Item>& written) {
  std::map<int, std::uint64_t> newest;
  for (const Item& item : written) {
    if (item.sequence > 0) newest[item.rank] = item.sequence;
  }
  for (const auto& [rank, sequence] : newest) {
    committed_[static_cast<std::size_t>(rank)] = sequence;
    socket_.acknowledge(rank, sequence);
  }
  for (std::size_t rank = 0; rank < finalMessages_.size(); ++rank) {
    FinalMessage& last = finalMessages_[rank];
    if (last.committed || (!last.finished && last.failure.empty())) continue;
    last.committed = true;
    socket_.send(static_cast<int>(rank), wire::FinalAck{});
  }
}

void Hub::store(const Item& item, const MetricBlock& block) {
  store_.appendMetrics(settings_.runId, settings_.attempt, item.rank, static_cast<std::int64_t>(item.sequence), block);
}

void Hub::store(const Item& item, const wire::EventNote& note) {
  store_.addEvent(settings_.runId, toEvent(item, note));
}

void Hub::store(const Item& item, const wire::MemoryUse& use) {
  store_.setMemory(settings_.runId, item.rank, use.bytes);
}

Event Hub::toEvent(const Item& item, const wire::EventNote& note) const {
  return {0, note.wallNanoseconds, settings_.attempt, item.rank, note.level, note.code, note.text};
}

void Hub::announce(const Item& item) {
  if (const auto* block = std::get_if<MetricBlock>(&item.content)) listener_.metrics(item.rank, *block);
  if (const auto* note = std::get_if<wire::EventNote>(&item.content)) listener_.event(toEvent(item, *note));
  if (const auto* row = std::get_if<CheckpointRow>(&item.content)) listener_.checkpoint(*row);
}

void Hub::completeCheckpoint() {
  const std::optional<CheckpointRow> row = queue_.work(committed_);
  if (!row) return;
  batch_.push_back({-1, 0, *row});
  commit();
  // Only a checkpoint that is in the store may push an older one out.
  if (batch_.empty()) removeOldCheckpoints();
}

std::vector<std::int64_t> Hub::unpinnedSteps() {
  std::vector<std::int64_t> steps = checkpoints_.steps();
  std::erase_if(steps, [this](std::int64_t step) { return settings_.pinnedSteps.contains(step); });
  return steps;
}

void Hub::removeOldCheckpoints() {
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

}  // namespace slipstream

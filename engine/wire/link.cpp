// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/link.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/process_state.h"
#include "engine/base/text.h"
#include "engine/wire/checkpoint_sender.h"
#include "engine/wire/messages.h"
#include "engine/wire/outbox.h"
#include "engine/wire/socket.h"
#include "engine/wire/supervisor_variable.h"

namespace slipstream {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds packEvery{200};
constexpr std::chrono::milliseconds heartbeatEvery{1000};
constexpr std::chrono::milliseconds helloAgainAfter{500};
constexpr std::chrono::seconds answerWithin{30};
constexpr std::chrono::seconds finalAckWithin{3};
/// Heartbeats in a row without any answer, after which the line is dead.
constexpr int unansweredHeartbeats = 5;
/// The same from another host: what TCP sends again after a cable was out for three seconds comes within seven.
constexpr int unansweredBetweenHosts = 8;
/// The same where the supervisor is a process of this machine that is still there: it may wait for a core.
constexpr int unansweredByARunningProcess = 60;

[[noreturn]] void endProcess() {
  std::fputs("the line to the supervisor is dead: ending\n", stderr);
  std::_Exit(deadLinkExitCode);
}

class WorkerLink final : public Link {
 public:
  WorkerLink(LinkAddress address, int rank, std::function<void()> whenDead, std::function<std::uint64_t()> operations)
      : address_(std::move(address)),
        rank_(rank),
        whenDead_(whenDead ? std::move(whenDead) : endProcess),
        operations_(std::move(operations)),
        socket_(WireSocket::connect(address_.endpoint, address_.keys)),
        sender_([this](const Message& message) { post(message); }),
        thread_([this] { loop(); }) {}

  ~WorkerLink() override {
    sender_.close();
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    socket_.wake();
    thread_.join();
  }

  void waitForTask() {
    std::unique_lock lock(mutex_);
    const bool answered = changed_.wait_for(lock, answerWithin, [this] { return hasTask_ || !refused_.empty(); });
    if (!refused_.empty()) throw Error("the supervisor refused this worker: " + refused_);
    if (!answered) throw Error("the supervisor does not answer at " + address_.endpoint);
  }

  const WorkerTask& task() const override { return task_; }

  void record(std::int64_t step, const std::vector<std::string>& names, const std::vector<double>& values) override {
    std::unique_lock lock(mutex_);
    waitUntil(lock, [this] { return !outbox_.isFull(); });
    outbox_.add(step, wallNanoseconds(), names, values);
    if (!outbox_.isDue()) return;
    outbox_.pack();
    socket_.wake();
  }

  void event(EventLevel level, const std::string& code, const std::string& text) override {
    const std::lock_guard lock(mutex_);
    outbox_.add(wire::EventNote{wallNanoseconds(), level, code, text});
    socket_.wake();
  }

  void memory(const std::map<std::string, std::int64_t>& bytes) override {
    const std::lock_guard lock(mutex_);
    outbox_.add(wire::MemoryUse{bytes});
  }

  void progress(std::int64_t step, const char* phase, std::uint64_t collectiveSequence) override {
    if (operations_ && step_.load(std::memory_order_relaxed) != step) {
      operationsBefore_.store(operations_(), std::memory_order_relaxed);
    }
    step_.store(step, std::memory_order_relaxed);
    phase_.store(phase, std::memory_order_relaxed);
    collectiveSequence_.store(collectiveSequence, std::memory_order_relaxed);
  }

  StopKind stopRequested() const override { return stop_.load(std::memory_order_relaxed); }

  void sendCheckpoint(std::int64_t step, bool full, const std::string& progressText,
                      const std::vector<OutgoingTensor>& tensors) override {
    send({step, full, progressText, static_cast<std::uint32_t>(tensors.size()), 0, false}, tensors);
  }

  void sendSnapshot(std::int64_t step, const std::vector<OutgoingTensor>& weights) override {
    send({step, false, "{}", static_cast<std::uint32_t>(weights.size()), 0, true}, weights);
  }

  std::optional<CheckpointManifest> checkpointAt(std::int64_t step) override { return ask({step, false}); }
  std::optional<CheckpointManifest> snapshotAt(std::int64_t step) override { return ask({step, true}); }

  std::vector<float> fetch(const std::string& hash) override {
    std::unique_lock lock(mutex_);
    fetching_ = {hash, {}, 0, false};
    urgent_.push_back(encode(wire::Fetch{hash}));
    socket_.wake();
    waitUntil(lock, [this] { return fetching_.whole; });
    std::vector<float> values(fetching_.bytes.size() / sizeof(float));
    std::memcpy(values.data(), fetching_.bytes.data(), values.size() * sizeof(float));
    fetching_ = {};
    return values;
  }

  void flush() override {
    {
      std::unique_lock lock(mutex_);
      outbox_.pack();
      socket_.wake();
      waitUntil(lock, [this] { return outbox_.isEmpty(); });
    }
    sender_.waitUntilIdle();
    const std::lock_guard lock(mutex_);
    if (dead_) throw Error("the line to the supervisor is dead");
  }

  void finish(bool stopped, std::int64_t stepsDone) override {
    flush();
    std::unique_lock lock(mutex_);
    sendFinal(wire::Finished{stopped, stepsDone});
    waitUntil(lock, [this] { return finalAcked_; });
  }

  void fail(const std::string& cause) override {
    std::unique_lock lock(mutex_);
    outbox_.pack();  // the values of the last steps are what explains a failure
    sendFinal(wire::Failed{cause});
    changed_.wait_for(lock, finalAckWithin, [this] { return (finalAcked_ && outbox_.isEmpty()) || dead_; });
  }

 private:
  struct Fetching {
    std::string hash;
    std::string bytes;
    std::int64_t nextPart = 0;
    bool whole = false;
  };

  void send(wire::CheckpointEnd end, const std::vector<OutgoingTensor>& tensors) {
    CheckpointSender::Job job{std::move(end), {}};
    for (const OutgoingTensor& tensor : tensors) {
      const auto bytes = std::as_bytes(tensor.values);
      const TensorRecord record{tensor.name,  "F32", tensor.shape,
                                tensor.shard, "",    static_cast<std::int64_t>(bytes.size())};
      job.tensors.push_back({record, bytes});
    }
    {
      const std::lock_guard lock(mutex_);
      outbox_.pack();
      job.end.afterSequence = outbox_.lastSequence();
    }
    sender_.start(std::move(job));
  }

  std::optional<CheckpointManifest> ask(const wire::CheckpointQuery& question) {
    std::unique_lock lock(mutex_);
    asking_ = question;
    answer_.reset();
    urgent_.push_back(encode(question));
    socket_.wake();
    waitUntil(lock, [this] { return answer_.has_value(); });
    asking_.reset();
    return std::move(answer_->manifest);
  }

  /// Waits on the supervisor; a dead line is an Error where `whenDead` did not end the process.
  template <class Condition>
  void waitUntil(std::unique_lock<std::mutex>& lock, Condition condition) {
    changed_.wait(lock, [&] { return dead_ || condition(); });
    if (dead_) throw Error("the line to the supervisor is dead");
  }

  void sendFinal(const Message& message) {
    finalAcked_ = false;
    finalMessage_ = encode(message);
    urgent_.push_back(finalMessage_);
    socket_.wake();
  }

  /// From the thread that ships checkpoints.
  void post(const Message& message) {
    std::string bytes = encode(message);
    {
      const std::lock_guard lock(mutex_);
      urgent_.push_back(std::move(bytes));
    }
    socket_.wake();
  }

  void loop() {
    try {
      while (exchange()) {
      }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "the line to the supervisor broke: %s\n", error.what());
      declareDead();
    }
  }

  /// One round of the thread that owns the socket; false at the end.
  bool exchange() {
    const auto next = std::min(packDue_, heartbeatDue_);
    const auto sleep = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
    for (const auto& received : socket_.receive(std::max(sleep, std::chrono::milliseconds{0}))) {
      if (auto message = decodeMessage(received.bytes)) receive(std::move(*message));
    }
    // A host that does not let its processes run wakes them late.
    const auto late = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - next).count();
    if (late > 0) delayedMicroseconds_ += static_cast<std::uint64_t>(late);
    if (!send()) return false;
    if (Clock::now() < heartbeatDue_) return true;
    heartbeatDue_ = Clock::now() + heartbeatEvery;
    if (isDead()) {
      declareDead();
      return false;
    }
    beat();
    return true;
  }

  /// A stopped supervisor (Ctrl-Z) may go on at any time.
  bool isDead() const {
    if (unanswered_ < (address_.keys ? unansweredBetweenHosts : unansweredHeartbeats)) return false;
    switch (processState(supervisor_)) {
      case ProcessState::stopped:
        return false;
      case ProcessState::running:
        return unanswered_ >= unansweredByARunningProcess;
      case ProcessState::gone:
        break;
    }
    return true;
  }

  /// Urgent messages first, then data; false where the link is closing and everything is on its way.
  bool send() {
    std::deque<std::string> urgent;
    std::vector<std::string> data;
    bool closing = false;
    {
      const std::lock_guard lock(mutex_);
      closing = closing_;
      urgent.swap(urgent_);
      if (Clock::now() >= packDue_) {
        packDue_ = Clock::now() + packEvery;
        outbox_.pack();
      }
      if (hasTask_) data = outbox_.takeUnsent();
    }
    for (auto& bytes : urgent) socket_.send("", std::move(bytes));
    for (auto& bytes : data) socket_.send("", std::move(bytes));
    return !closing;
  }

  void beat() {
    std::uint64_t sent = 0;
    bool greeted = false;
    {
      const std::lock_guard lock(mutex_);
      greeted = hasTask_;
      sent = outbox_.sentSequence();
    }
    if (!greeted) return sendHello();
    ++unanswered_;
    socket_.send("",
                 encode(wire::Heartbeat{step_.load(std::memory_order_relaxed), phase_.load(std::memory_order_relaxed),
                                        sequence(), sent, delayedMicroseconds_}));
  }

  /// Within the step: over the whole run ranks differ, because some lead a server's others.
  std::uint64_t sequence() const {
    if (!operations_) return collectiveSequence_.load(std::memory_order_relaxed);
    const std::uint64_t before = operationsBefore_.load(std::memory_order_relaxed);
    return operations_() - before;
  }

  void sendHello() {
    helloAt_ = Clock::now();
    std::uint64_t acknowledged = 0;
    {
      const std::lock_guard lock(mutex_);
      acknowledged = outbox_.acknowledgedSequence();
    }
    socket_.send("", encode(wire::Hello{address_.runId, address_.attempt, rank_, ::getpid(), acknowledged}));
  }

  void declareDead() {
    sender_.close();
    {
      const std::lock_guard lock(mutex_);
      dead_ = true;
      changed_.notify_all();
    }
    whenDead_();
  }

  void receive(Message message) {
    unanswered_ = 0;
    std::visit([this](auto& content) { handle(content); }, message);
  }

  void handle(wire::Task& task) {
    const std::lock_guard lock(mutex_);
    if (hasTask_) return;
    auto plan = parseRunPlan(task.planText);
    if (!plan) {
      refused_ = "its plan cannot be read: " + toText(plan.error());
    } else {
      task_ = {std::move(*plan), std::move(task.checkpoint)};
      hasTask_ = true;
    }
    changed_.notify_all();
  }
  void handle(wire::Refused& refused) {
    const std::lock_guard lock(mutex_);
    refused_ = refused.why;
    changed_.notify_all();
  }
  /// A new supervisor's end, or a new connection: everything that is not committed goes again. So does the final
  /// message, even where the supervisor's end before this one had acknowledged it.
  void handle(const wire::Reidentify&) {
    if (Clock::now() < helloAt_ + helloAgainAfter) return;
    sendHello();
    sender_.restart();
    const std::lock_guard lock(mutex_);
    outbox_.rewind(outbox_.acknowledgedSequence() + 1);
    if (!fetching_.hash.empty()) urgent_.push_back(encode(wire::Fetch{fetching_.hash}));
    if (asking_) urgent_.push_back(encode(*asking_));
    if (!finalMessage_.empty()) urgent_.push_back(finalMessage_);
  }
  void handle(const wire::HubStatus& status) {
    stop_.store(status.stop, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    outbox_.acknowledge(status.acknowledged);
    if (status.resendFrom > 0) outbox_.rewind(status.resendFrom);
    changed_.notify_all();
  }
  void handle(const wire::TensorPart& part) {
    const std::lock_guard lock(mutex_);
    if (part.hash != fetching_.hash) return;
    if (part.index == 0) fetching_ = {part.hash, {}, 0, false};
    if (part.index != fetching_.nextPart) return;
    if (crc32c(std::as_bytes(std::span(part.bytes))) != part.crc) throw Error("a tensor came damaged: " + part.hash);
    fetching_.bytes += part.bytes;
    ++fetching_.nextPart;
    fetching_.whole = part.last;
    changed_.notify_all();
  }
  void handle(wire::CheckpointReply& reply) {
    const std::lock_guard lock(mutex_);
    if (!asking_ || asking_->step != reply.step || asking_->snapshot != reply.snapshot) return;
    answer_ = std::move(reply);
    changed_.notify_all();
  }
  void handle(const wire::FinalAck&) {
    const std::lock_guard lock(mutex_);
    finalAcked_ = true;
    changed_.notify_all();
  }
  void handle(const wire::TensorRequest& request) { sender_.handle(request); }
  void handle(const wire::TransferAck& ack) { sender_.handle(ack); }
  void handle(const wire::CheckpointDone& done) { sender_.handle(done); }
  /// Only workers send the others.
  template <class Other>
  void handle(const Other&) {}

  const LinkAddress address_;
  const int rank_;
  /// Its process on this machine; 0: not known. One that is only stopped (Ctrl-Z) is waited for.
  const std::int64_t supervisor_ = parseInteger(environment(supervisorVariable).value_or("")).value_or(0);
  const std::function<void()> whenDead_;
  const std::function<std::uint64_t()> operations_;
  WireSocket socket_;

  std::atomic<std::int64_t> step_ = 0;
  std::atomic<const char*> phase_ = "starting";
  std::atomic<std::uint64_t> collectiveSequence_ = 0;
  std::atomic<std::uint64_t> operationsBefore_ = 0;  ///< at the beginning of the step
  std::atomic<StopKind> stop_ = StopKind::none;

  std::mutex mutex_;
  std::condition_variable changed_;
  WorkerTask task_;  ///< written once, before hasTask_
  bool hasTask_ = false;
  std::string refused_;
  Outbox outbox_;
  std::deque<std::string> urgent_;
  std::string finalMessage_;
  bool finalAcked_ = false;
  Fetching fetching_;
  std::optional<wire::CheckpointQuery> asking_;
  std::optional<wire::CheckpointReply> answer_;
  std::uint64_t delayedMicroseconds_ = 0;  ///< of the thread that owns the socket
  bool dead_ = false;
  bool closing_ = false;

  // Of the thread that owns the socket.
  Clock::time_point packDue_ = Clock::now() + packEvery;
  Clock::time_point heartbeatDue_ = Clock::now();
  Clock::time_point helloAt_;
  int unanswered_ = 0;

  CheckpointSender sender_;
  std::thread thread_;
};

}  // namespace

Result<LinkAddress> linkAddressFromEnvironment() {
  Failures failures;
  const auto read = [&](const char* name) {
    const auto value = environment(name);
    if (!value) failures.push_back({name, "", "is not set", "let slipstream run start the workers"});
    return value.value_or("");
  };
  LinkAddress address{read("SLIPSTREAM_HUB"), read("SLIPSTREAM_RUN"), 1};
  const std::string text = read("SLIPSTREAM_ATTEMPT");
  const auto attempt = parseInteger(text);
  if (!text.empty() && (!attempt || *attempt < 1)) {
    failures.push_back({"SLIPSTREAM_ATTEMPT", text, "is not a positive number", "let slipstream run set it"});
  }
  const auto keys = parseWorkerKeys(environment(workerKeysVariable).value_or(""));
  ::unsetenv(workerKeysVariable);
  collect(keys, failures);
  if (!failures.empty()) return tl::unexpected(failures);
  address.keys = *keys;
  address.attempt = static_cast<int>(*attempt);
  return address;
}

std::unique_ptr<Link> Link::connect(const LinkAddress& address, int rank, std::function<void()> whenDead,
                                    std::function<std::uint64_t()> operations) {
  auto link = std::make_unique<WorkerLink>(address, rank, std::move(whenDead), std::move(operations));
  link->waitForTask();
  return link;
}

}  // namespace slipstream

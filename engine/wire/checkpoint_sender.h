// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/wire/messages.h"

namespace slipstream {

/// Ships one checkpoint or snapshot behind training, from a low-priority thread of its own: offers each tensor by its
/// hash, sends the parts of those that the hub requests, and never has more than a few parts in flight. The memory of
/// the copies is kept from one checkpoint to the next (fresh pages cost the training thread more than the copying): as
/// much as the largest of them took.
class CheckpointSender {
 public:
  struct Tensor {
    TensorRecord record;               ///< the hash is filled in here
    std::span<const std::byte> bytes;  ///< of the caller, until start() returns
  };
  struct Job {
    wire::CheckpointEnd end;
    std::vector<Tensor> tensors;
  };

  explicit CheckpointSender(std::function<void(const Message&)> post) : post_(std::move(post)) {}
  ~CheckpointSender();
  CheckpointSender(const CheckpointSender&) = delete;
  CheckpointSender& operator=(const CheckpointSender&) = delete;

  /// Waits for the job before it, and copies the tensors.
  void start(Job job);
  /// Memory held for copies.
  std::size_t heldBytes() const { return capacity_; }
  /// Waits until the hub has reported that the checkpoint is over, or close() was called.
  void waitUntilIdle();
  /// Gives up; nothing is posted afterwards.
  void close();

  // Answers of the hub.
  void handle(const wire::TensorRequest& request);
  void handle(const wire::TransferAck& ack);
  void handle(const wire::CheckpointDone& done);
  /// Sends everything again, in a new round: the hub knows nothing of what was sent, or gave an answer that was lost.
  void restart();

 private:
  struct Shipping {
    std::size_t tensor = 0;
    std::int64_t nextPart = 0;
  };

  /// Whether an answer is about the job under way.
  template <class Answer>
  bool isOf(const Answer& answer) const {
    return answer.step == job_.end.step && answer.snapshot == job_.end.snapshot;
  }

  void copy(Job job);
  void run();
  bool maySendPart() const;
  void offerNext(std::unique_lock<std::mutex>& lock);
  void sendPart(std::unique_lock<std::mutex>& lock);

  const std::function<void(const Message&)> post_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  // The job and its memory belong to the thread that ships while it is busy, else to the one that calls start().
  Job job_;  ///< its tensors lie in memory_
  std::unique_ptr<std::byte[]> memory_;
  std::size_t capacity_ = 0;
  bool busy_ = false;
  bool closing_ = false;
  std::uint64_t round_ = 0;  ///< counts restart(); answers to what an earlier round sent are not for this one
  std::size_t offered_ = 0;
  bool ended_ = false;
  std::deque<Shipping> shipping_;
  std::int64_t sentParts_ = 0;
  std::int64_t acknowledgedParts_ = 0;
};

}  // namespace slipstream

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/wire/messages.h"

namespace slipstream {

/// Ships one checkpoint behind training, from a low-priority thread of its own: offers each tensor by its hash, sends
/// the parts of those that the hub wants, and never has more than a few parts on the way.
class CheckpointSender {
 public:
  struct Tensor {
    TensorRecord record;  ///< the hash is filled in here
    std::vector<std::byte> bytes;
  };
  struct Job {
    message::CheckpointEnd end;
    std::vector<Tensor> tensors;
  };

  explicit CheckpointSender(std::function<void(const Message&)> post) : post_(std::move(post)) {}
  ~CheckpointSender();
  CheckpointSender(const CheckpointSender&) = delete;
  CheckpointSender& operator=(const CheckpointSender&) = delete;

  /// Waits for the job before it.
  void start(Job job);
  /// Waits until the hub has said that the checkpoint is over, or close() was called.
  void waitUntilIdle();
  /// Gives up; nothing is posted afterwards.
  void close();

  // What the hub answers.
  void wanted(const message::Wanted& wanted);
  void taken(const message::Taken& taken);
  void done(const message::CheckpointDone& done);
  /// The hub knows nothing of what was sent: everything again.
  void again();

 private:
  struct Shipping {
    std::size_t tensor = 0;
    std::int64_t nextPart = 0;
  };

  void run();
  bool maySendPart() const;
  void offerNext(std::unique_lock<std::mutex>& lock);
  void sendPart(std::unique_lock<std::mutex>& lock);

  const std::function<void(const Message&)> post_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  Job job_;
  bool busy_ = false;
  bool closing_ = false;
  std::uint64_t round_ = 0;  ///< counts again()
  std::size_t offered_ = 0;
  bool ended_ = false;
  std::deque<Shipping> shipping_;
  std::int64_t sentParts_ = 0;
  std::int64_t takenParts_ = 0;
};

}  // namespace slipstream

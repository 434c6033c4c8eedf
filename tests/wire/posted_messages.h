// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "engine/wire/messages.h"

namespace slipstream::test {

/// What a sender posts, from its own thread and with its lock held, to be read by the test in that order.
class PostedMessages {
 public:
  void take(const Message& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    somethingCame_.notify_one();
  }
  Message next() {
    std::unique_lock lock(mutex_);
    somethingCame_.wait(lock, [this] { return !messages_.empty(); });
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable somethingCame_;
  std::deque<Message> messages_;
};

}  // namespace slipstream::test

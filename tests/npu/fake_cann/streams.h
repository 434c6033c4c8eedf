// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {

struct Stream;

struct Event {
  int device = 0;
  Stream* stream = nullptr;  ///< where it was recorded; null: nowhere yet
  std::shared_ptr<std::atomic<bool>> passed = std::make_shared<std::atomic<bool>>(false);
  std::atomic<int> referred{0};  ///< by tasks that wait in streams
  int asked = 0;
};

struct Task {
  std::string call;
  std::vector<Touched> uses;
  std::function<void()> work;
};

struct Stream {
  int device = 0;
  std::deque<Task> tasks;
  std::recursive_mutex running;
};

/// All streams and events of the process.
class Streams {
 public:
  static Streams& instance();

  Stream* make(int device);
  Event* makeEvent(int device);
  /// Violations where they do not live, or are of another device than this thread's.
  Stream& stream(const std::string& call, void* handle);
  Event& event(const std::string& call, void* handle);
  void destroy(const std::string& call, Stream& stream);
  void destroy(const std::string& call, Event& event);

  void give(Stream& stream, Task task);
  /// Runs all that the stream was given.
  void run(Stream& stream);
  /// Runs what the event's stream was given, as far as it takes for the event to be passed.
  void runTo(const Event& event);
  /// The same beside the caller.
  void startTo(const Event& event);
  /// The call that a waiting task came from that is going to use memory at `begin`; empty: none.
  std::string userOf(const void* begin, std::size_t bytes);
  std::size_t waiting();

 private:
  using Passed = std::shared_ptr<std::atomic<bool>>;
  void run(Stream& stream, const Passed& until);

  std::mutex mutex_;
  std::set<Stream*>
      streams_;  ///< those that live; what was destroyed stays, for work beside the caller that is about to end
  std::set<Event*> events_;
};

}  // namespace slipstream::fake

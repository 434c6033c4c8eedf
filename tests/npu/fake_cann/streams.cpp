// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/fake_cann/streams.h"

#include <thread>
#include <utility>

namespace slipstream::fake {

Streams& Streams::instance() {
  static auto* const streams = new Streams;
  return *streams;
}

Stream* Streams::make(int device) {
  const std::scoped_lock lock(mutex_);
  auto* stream = new Stream;
  stream->device = device;
  streams_.insert(stream);
  return stream;
}

Event* Streams::makeEvent(int device) {
  const std::scoped_lock lock(mutex_);
  auto* event = new Event;
  event->device = device;
  events_.insert(event);
  return event;
}

Stream& Streams::stream(const std::string& call, void* handle) {
  const int device = currentDevice(call);
  const std::scoped_lock lock(mutex_);
  const auto found = streams_.find(static_cast<Stream*>(handle));
  if (found == streams_.end()) violation(call, "there is no such stream");
  if ((*found)->device != device) violation(call, "the stream is of another device than this thread has selected");
  return **found;
}

Event& Streams::event(const std::string& call, void* handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = events_.find(static_cast<Event*>(handle));
  if (found == events_.end()) violation(call, "there is no such event");
  return **found;
}

void Streams::destroy(const std::string& call, Stream& stream) {
  const std::scoped_lock lock(mutex_);
  if (!stream.tasks.empty()) violation(call, "the stream has work that has not run, of " + stream.tasks.front().call);
  streams_.erase(&stream);
}

void Streams::destroy(const std::string& call, Event& event) {
  const std::scoped_lock lock(mutex_);
  if (event.referred > 0) violation(call, "a stream has not passed the event");
  events_.erase(&event);
  delete &event;
}

void Streams::give(Stream& stream, Task task) {
  const std::scoped_lock lock(mutex_);
  stream.tasks.push_back(std::move(task));
}

void Streams::run(Stream& stream) {
  run(stream, nullptr);
}

void Streams::runTo(const Event& event) {
  run(*event.stream, event.passed);
}

void Streams::startTo(const Event& event) {
  std::thread([this, stream = event.stream, passed = event.passed] { run(*stream, passed); }).detach();
}

/// Where another thread runs the stream, it may be on its way to what this one waits for.
void Streams::run(Stream& stream, const Passed& until) {
  std::unique_lock running(stream.running, std::defer_lock);
  while (!running.try_lock()) {
    if (until && *until) return;
    std::this_thread::yield();
  }
  while (!until || !*until) {
    Task task;
    {
      const std::scoped_lock lock(mutex_);
      if (stream.tasks.empty()) return;
      task = std::move(stream.tasks.front());
      stream.tasks.pop_front();
    }
    for (const Touched& use : task.uses) reach(task.call, use.begin, use.bytes);
    task.work();
  }
}

std::string Streams::userOf(const void* begin, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(begin);
  const std::scoped_lock lock(mutex_);
  for (const Stream* stream : streams_) {
    for (const Task& task : stream->tasks) {
      for (const Touched& use : task.uses) {
        const auto* at = static_cast<const std::byte*>(use.begin);
        if (at < from + bytes && from < at + use.bytes) return task.call;
      }
    }
  }
  return "";
}

std::size_t Streams::waiting() {
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (const Stream* stream : streams_) count += stream->tasks.size();
  return count;
}

void give(const std::string& call, aclrtStream handle, std::vector<Touched> uses, std::function<void()> work) {
  Stream& stream = Streams::instance().stream(call, handle);
  for (const Touched& use : uses) reach(call, use.begin, use.bytes);
  Streams::instance().give(stream, {call, std::move(uses), std::move(work)});
}

}  // namespace slipstream::fake

extern "C" std::size_t fakeCannWaitingTasks() {
  return slipstream::fake::Streams::instance().waiting();
}

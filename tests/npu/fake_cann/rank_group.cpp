// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/fake_cann/rank_group.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {
namespace {

constexpr std::size_t mostRanks = 64;
constexpr std::chrono::seconds timeout{60};

/// Waits for others, who may have to be given the core.
template <class Condition>
void waitFor(const std::string& call, const Condition& met) {
  const auto start = std::chrono::steady_clock::now();
  while (!met()) {
    ::sched_yield();
    if (std::chrono::steady_clock::now() - start > timeout) {
      violation(call, "has waited for a minute for ranks that do not come");
    }
  }
}

}  // namespace

struct RankGroup::Shared {
  std::atomic<std::uint32_t> arrived;
  std::atomic<std::uint32_t> turn;
  int devices[mostRanks];
  CommonWords words[mostRanks];
};

struct RankGroup::Mailbox {
  std::atomic<std::uint32_t> bytes;  ///< 0: empty
  std::byte content[16 << 10];
};

RankGroup::RankGroup(const std::string& name, std::uint32_t ranks, std::uint32_t rank, int device)
    : name_(name),
      ranks_(ranks),
      rank_(rank),
      bytes_(sizeof(Shared) + ranks * slotBytes + std::size_t{ranks} * ranks * sizeof(Mailbox)) {
  if (ranks > mostRanks || rank >= ranks) violation(operation_, "there is no such rank");
  const int file = ::shm_open(name_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes_)) != 0) violation(operation_, "no shared memory");
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) violation(operation_, "no shared memory");
  shared_ = static_cast<Shared*>(memory);
  shared_->devices[rank_] = device;
  barrier(operation_);
  if (rank_ == 0) ::shm_unlink(name_.c_str());
}

RankGroup::~RankGroup() {
  ::munmap(shared_, bytes_);
}

bool RankGroup::anyShareADevice() const {
  std::vector<int> devices(shared_->devices, shared_->devices + ranks_);
  std::ranges::sort(devices);
  return std::ranges::adjacent_find(devices) != devices.end();
}

void RankGroup::agree(const CommonWords& words) {
  operation_ = words.operation;
  shared_->words[rank_] = words;
  barrier(operation_);
  for (std::uint32_t peer = 0; peer < ranks_; ++peer) {
    if (shared_->words[peer] != words) {
      violation(operation_, "rank " + std::to_string(peer) + " calls " + shared_->words[peer].operation +
                                " or another count, type or root");
    }
  }
  barrier(operation_);
}

void RankGroup::round(const std::function<void(std::byte*)>& put,
                      const std::function<void(std::uint32_t, const std::byte*)>& take) {
  put(slot(rank_));
  barrier(operation_);
  for (std::uint32_t peer = 0; peer < ranks_; ++peer) take(peer, slot(peer));
  barrier(operation_);
}

void RankGroup::exchange(std::span<const Message> messages) {
  std::vector<std::size_t> moved(messages.size(), 0);
  const auto advance = [&](std::size_t i) {
    const Message& message = messages[i];
    if (moved[i] == message.count) return true;
    Mailbox& box = message.goesOut ? mailbox(rank_, message.peer) : mailbox(message.peer, rank_);
    if ((box.bytes == 0) != message.goesOut) return false;
    if (message.goesOut) {
      const std::size_t part = std::min(message.count - moved[i], sizeof(box.content));
      std::memcpy(box.content, message.bytes + moved[i], part);
      moved[i] += part;
      box.bytes = static_cast<std::uint32_t>(part);
      return moved[i] == message.count;
    }
    const std::size_t part = box.bytes;
    if (part > message.count - moved[i]) violation("HcclBatchSendRecv", "a peer sends more than is received");
    std::memcpy(message.bytes + moved[i], box.content, part);
    moved[i] += part;
    box.bytes = 0;
    return moved[i] == message.count;
  };
  waitFor("HcclBatchSendRecv", [&] {
    bool all = true;
    for (std::size_t i = 0; i < messages.size(); ++i) all = advance(i) && all;
    return all;
  });
}

RankGroup::Mailbox& RankGroup::mailbox(std::uint32_t from, std::uint32_t to) const {
  auto* first = reinterpret_cast<Mailbox*>(slot(ranks_));
  return first[std::size_t{from} * ranks_ + to];
}

std::byte* RankGroup::slot(std::uint32_t rank) const {
  return reinterpret_cast<std::byte*>(shared_ + 1) + rank * slotBytes;
}

void RankGroup::barrier(const std::string& operation) {
  const std::uint32_t turn = shared_->turn;
  if (++shared_->arrived == ranks_) {
    shared_->arrived = 0;
    ++shared_->turn;
    return;
  }
  waitFor(operation, [&] { return shared_->turn != turn; });
}

}  // namespace slipstream::fake

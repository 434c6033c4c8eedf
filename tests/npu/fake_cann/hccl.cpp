// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libhccl.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include <unistd.h>

#include "engine/comm/hccl_api.h"
#include "tests/npu/fake_cann/fake_runtime.h"
#include "tests/npu/fake_cann/rank_group.h"

namespace slipstream::fake {
namespace {

constexpr HcclResult sharedDevice = 1;
constexpr HcclResult noLink = 2;

/// Which one of the ranks cannot join: the others do.
bool cannotJoin(std::uint32_t rank) {
  const char* asked = std::getenv("FAKE_HCCL_WITHOUT_RANK");
  return asked != nullptr && std::to_string(rank) == asked;
}

std::atomic<bool> keepsOrder{false};
std::atomic<unsigned> groupsMade{0};

struct Group {
  std::unique_ptr<RankGroup> ranks;
  int device;
  std::atomic<int> waiting{0};    ///< operations that streams were given and did not run
  std::atomic<unsigned> sums{0};  ///< where no order was asked for, each sum begins with another rank
};

std::mutex groupsMutex;
std::set<Group*>& groups() {
  static auto* const all = new std::set<Group*>;
  return *all;
}

Group& groupOf(const std::string& call, HcclComm handle) {
  const std::scoped_lock lock(groupsMutex);
  const auto found = groups().find(static_cast<Group*>(handle));
  if (found == groups().end()) violation(call, "there is no such group of ranks");
  if ((*found)->device != currentDevice(call)) violation(call, "the group is of another device than this thread's");
  return **found;
}

std::size_t bytesOfType(const std::string& call, int type) {
  if (type == hccl::int8) return 1;
  if (type == hccl::float32) return sizeof(float);
  violation(call, "a type of values that the fake does not know, or that NPUs do not add");
}

void giveToAll(const std::string& call, Group& group, aclrtStream stream, std::vector<Touched> uses, CommonWords words,
               std::function<void()> work) {
  std::strncpy(words.operation, call.c_str(), sizeof(words.operation) - 1);
  ++group.waiting;
  give(call, stream, std::move(uses), [&group, words, work = std::move(work)] {
    group.ranks->agree(words);
    work();
    --group.waiting;
  });
}

/// Calls `each(offset, bytes)` for parts of at most a slot.
template <class Each>
void inSlots(std::size_t bytes, const Each& each) {
  for (std::size_t at = 0; at < bytes; at += RankGroup::slotBytes) each(at, std::min(RankGroup::slotBytes, bytes - at));
}

void sumOfAll(Group& group, const std::byte* from, std::byte* to, std::size_t bytes) {
  const std::uint32_t ranks = group.ranks->ranks();
  const std::uint32_t first = keepsOrder ? 0 : group.sums++ % ranks;
  inSlots(bytes, [&](std::size_t at, std::size_t part) {
    std::vector<std::vector<float>> values(ranks, std::vector<float>(part / sizeof(float)));
    group.ranks->round(
        [&](std::byte* slot) { std::memcpy(slot, from + at, part); },
        [&](std::uint32_t rank, const std::byte* slot) { std::memcpy(values[rank].data(), slot, part); });
    std::vector<float> sum = values[first];
    for (std::uint32_t step = 1; step < ranks; ++step) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[(first + step) % ranks][i];
    }
    std::memcpy(to + at, sum.data(), part);
  });
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names
namespace hccl = slipstream::hccl;

extern "C" {

const char* HcclGetErrorString(HcclResult result) {
  if (result == noLink) return "no link to the other devices";
  return result == sharedDevice ? "two ranks share a device" : "unknown";
}

HcclResult HcclSetConfig(int what, HcclConfigValue value) {
  if (what != hccl::deterministic) violation("HcclSetConfig", "an unknown setting");
  keepsOrder = value.value == 1;
  return 0;
}

HcclResult HcclGetRootInfo(HcclRootInfo* root) {
  currentDevice("HcclGetRootInfo");
  const std::string name = "/fake-hccl-" + std::to_string(::getpid()) + "-" + std::to_string(groupsMade++);
  *root = {};
  name.copy(root->internal, sizeof(root->internal) - 1);
  return 0;
}

HcclResult HcclCommInitRootInfo(std::uint32_t ranks, const HcclRootInfo* root, std::uint32_t rank, HcclComm* handle) {
  const int device = currentDevice("HcclCommInitRootInfo");
  if (root->internal[0] != '/') violation("HcclCommInitRootInfo", "the root's words are not those of HcclGetRootInfo");
  auto group = std::make_unique<Group>();
  group->ranks = std::make_unique<RankGroup>(root->internal, ranks, rank, device);
  group->device = device;
  if (group->ranks->anyShareADevice()) return sharedDevice;
  if (cannotJoin(rank)) return noLink;
  *handle = group.get();
  const std::scoped_lock lock(groupsMutex);
  groups().insert(group.release());
  return 0;
}

HcclResult HcclCommDestroy(HcclComm handle) {
  Group& group = groupOf("HcclCommDestroy", handle);
  if (group.waiting > 0) violation("HcclCommDestroy", "operations of the group have not run");
  const std::scoped_lock lock(groupsMutex);
  groups().erase(&group);
  delete &group;
  return 0;
}

HcclResult HcclGetCommAsyncError(HcclComm handle, HcclResult* state) {
  groupOf("HcclGetCommAsyncError", handle);
  *state = 0;
  return 0;
}

HcclResult HcclAllReduce(void* from, void* to, std::uint64_t count, int type, int operation, HcclComm handle,
                         aclrtStream stream) {
  const std::string call = "HcclAllReduce";
  Group& group = groupOf(call, handle);
  if (type != hccl::float32 || operation != hccl::sum) violation(call, "NPUs add fp32; nothing else is known");
  const std::size_t bytes = count * sizeof(float);
  giveToAll(call, group, stream, {{from, bytes}, {to, bytes}}, {{}, count, type, operation},
            [=, &group] { sumOfAll(group, reach(call, from, bytes), reach(call, to, bytes), bytes); });
  return 0;
}

HcclResult HcclBroadcast(void* buffer, std::uint64_t count, int type, std::uint32_t root, HcclComm handle,
                         aclrtStream stream) {
  const std::string call = "HcclBroadcast";
  Group& group = groupOf(call, handle);
  if (root >= group.ranks->ranks()) violation(call, "there is no such rank");
  const std::size_t bytes = count * bytesOfType(call, type);
  giveToAll(call, group, stream, {{buffer, bytes}}, {{}, count, type, static_cast<std::int32_t>(root)}, [=, &group] {
    std::byte* memory = reach(call, buffer, bytes);
    inSlots(bytes, [&](std::size_t at, std::size_t part) {
      group.ranks->round(
          [&](std::byte* slot) {
            if (group.ranks->rank() == root) std::memcpy(slot, memory + at, part);
          },
          [&](std::uint32_t rank, const std::byte* slot) {
            if (rank == root) std::memcpy(memory + at, slot, part);
          });
    });
  });
  return 0;
}

HcclResult HcclAllGather(void* from, void* to, std::uint64_t countOfEach, int type, HcclComm handle,
                         aclrtStream stream) {
  const std::string call = "HcclAllGather";
  Group& group = groupOf(call, handle);
  const std::size_t bytes = countOfEach * bytesOfType(call, type);
  const std::size_t all = bytes * group.ranks->ranks();
  const auto* begin = static_cast<const std::byte*>(to);
  if (from >= begin && from < begin + all) violation(call, "gathers in place");
  giveToAll(call, group, stream, {{from, bytes}, {to, all}}, {{}, countOfEach, type, 0}, [=, &group] {
    const std::byte* mine = reach(call, from, bytes);
    std::byte* gathered = reach(call, to, all);
    inSlots(bytes, [&](std::size_t at, std::size_t part) {
      group.ranks->round(
          [&](std::byte* slot) { std::memcpy(slot, mine + at, part); },
          [&](std::uint32_t rank, const std::byte* slot) { std::memcpy(gathered + rank * bytes + at, slot, part); });
    });
  });
  return 0;
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* items, std::uint32_t count, HcclComm handle, aclrtStream stream) {
  const std::string call = "HcclBatchSendRecv";
  Group& group = groupOf(call, handle);
  if (count == 0) violation(call, "no messages");
  std::vector<HcclSendRecvItem> kept(items, items + count);
  std::vector<Touched> uses;
  std::set<std::pair<int, std::uint32_t>> pairs;
  for (const HcclSendRecvItem& item : kept) {
    if (item.peer >= group.ranks->ranks() || item.peer == group.ranks->rank()) violation(call, "there is no such peer");
    if (!pairs.emplace(item.direction, item.peer).second) violation(call, "two messages of one direction with a peer");
    uses.push_back({item.buffer, item.count * bytesOfType(call, item.type)});
  }
  ++group.waiting;
  give(call, stream, std::move(uses), [=, &group] {
    std::vector<Message> messages;
    for (const HcclSendRecvItem& item : kept) {
      const std::size_t bytes = item.count * bytesOfType(call, item.type);
      messages.push_back({item.direction == hccl::sends, reach(call, item.buffer, bytes), bytes, item.peer});
    }
    group.ranks->exchange(messages);
    --group.waiting;
  });
  return 0;
}

}  // extern "C"

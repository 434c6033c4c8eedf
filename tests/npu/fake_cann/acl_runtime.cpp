// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libascendcl: devices, memory, streams and events.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/npu/fake_cann/device_memory.h"
#include "tests/npu/fake_cann/streams.h"

namespace slipstream::fake {
namespace {

constexpr aclError invalidDevice = 107'001;
constexpr long devicesIfNothingIsSaid = 8;
constexpr long coresIfNothingIsSaid = 8;
/// What stands before an event begins to run when it is asked for this many times.
constexpr int asksUntilDone = 3;

std::atomic<bool> initialized{false};
std::atomic<bool> deterministic{false};
thread_local int selected = -1;

int devices() {
  return static_cast<int>(numberFromEnvironment("FAKE_CANN_DEVICES", devicesIfNothingIsSaid));
}

void requireInit(const std::string& call) {
  if (!initialized) violation(call, "aclInit was not called before");
}

/// Memory of the host that aclrtMallocHost gave, by address.
class PinnedMemory {
 public:
  static PinnedMemory& instance() {
    static auto* const memory = new PinnedMemory;
    return *memory;
  }
  void* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    blocks_[memory] = bytes;
    return memory;
  }
  void free(const std::string& call, void* memory) {
    const std::scoped_lock lock(mutex_);
    const auto found = blocks_.find(static_cast<std::byte*>(memory));
    if (found == blocks_.end()) violation(call, "this is no address that aclrtMallocHost gave");
    if (pending_[found->first] > 0) violation(call, "a copy that has not run is going to use the memory");
    std::memset(memory, 0xEE, found->second);
    std::free(memory);
    blocks_.erase(found);
  }
  /// Counts a copy that is going to use the bytes, which must lie in one block.
  std::byte* hold(const std::string& call, const void* address, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto* at = static_cast<const std::byte*>(address);
    const auto after = blocks_.upper_bound(const_cast<std::byte*>(at));
    if (after == blocks_.begin() || at + bytes > std::prev(after)->first + std::prev(after)->second) {
      violation(call, "copies beside the caller to or from memory of the host that aclrtMallocHost did not give");
    }
    ++pending_[std::prev(after)->first];
    return std::prev(after)->first;
  }
  void release(std::byte* block) {
    const std::scoped_lock lock(mutex_);
    --pending_[block];
  }

 private:
  std::mutex mutex_;
  std::map<std::byte*, std::size_t> blocks_;
  std::map<std::byte*, int> pending_;
};

void giveHostCopy(const std::string& call, std::byte* host, const void* deviceMemory, std::size_t bytes, bool inward,
                  aclrtStream stream) {
  PinnedMemory& pinned = PinnedMemory::instance();
  std::byte* block = pinned.hold(call, host, bytes);
  give(call, stream, {{deviceMemory, bytes}}, [=, &pinned] {
    std::byte* memory = reach(call, deviceMemory, bytes);
    std::memcpy(inward ? memory : host, inward ? host : memory, bytes);
    pinned.release(block);
  });
}

}  // namespace

int currentDevice(const std::string& call) {
  requireInit(call);
  if (selected < 0) violation(call, "aclrtSetDevice was not called on this thread before");
  return selected;
}

}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclError aclInit(const char*) {
  return initialized.exchange(true) ? failed(slipstream::acl::repeatedInit, "aclInit was called before") : 0;
}

aclError aclrtSetSysParamOpt(int what, std::int64_t value) {
  requireInit("aclrtSetSysParamOpt");
  if (what != slipstream::acl::deterministic) violation("aclrtSetSysParamOpt", "sets an unknown option");
  deterministic = value == 1;
  return 0;
}

aclError aclsysGetCANNVersion(int package, aclCANNPackageVersion* version) {
  if (package != slipstream::acl::packageHccl) violation("aclsysGetCANNVersion", "asks for an unknown package");
  *version = {"8.1.RC1", {"8", "1", "RC1", "0"}, ""};
  return 0;
}

bool fakeCannIsDeterministic() {
  return deterministic;
}

aclError aclrtGetDeviceCount(std::uint32_t* count) {
  requireInit("aclrtGetDeviceCount");
  *count = static_cast<std::uint32_t>(devices());
  return 0;
}

aclError aclrtSetDevice(std::int32_t device) {
  requireInit("aclrtSetDevice");
  if (device < 0 || device >= devices()) return failed(invalidDevice, "there is no device of this number");
  selected = device;
  return 0;
}

aclError aclrtGetDevice(std::int32_t* device) {
  requireInit("aclrtGetDevice");
  if (selected < 0) return failed(invalidDevice, "this thread has selected no device");
  *device = selected;
  return 0;
}

const char* aclrtGetSocName() {
  currentDevice("aclrtGetSocName");
  return "fake Ascend";
}

aclError aclGetDeviceCapability(std::uint32_t, int what, std::int64_t* value) {
  requireInit("aclGetDeviceCapability");
  if (what != slipstream::acl::vectorCores) violation("aclGetDeviceCapability", "asks for an unknown capability");
  *value = numberFromEnvironment("FAKE_CANN_CORES", coresIfNothingIsSaid);
  return 0;
}

aclError aclrtGetMemInfo(int which, std::size_t* free, std::size_t* total) {
  const int device = currentDevice("aclrtGetMemInfo");
  if (which != slipstream::acl::deviceMemory) violation("aclrtGetMemInfo", "asks for an unknown kind of memory");
  *free = DeviceMemory::instance().freeBytes(device);
  *total = DeviceMemory::instance().totalBytes();
  return 0;
}

aclError aclrtMalloc(void** memory, std::size_t bytes, int policy) {
  const int device = currentDevice("aclrtMalloc");
  if (bytes == 0) violation("aclrtMalloc", "asks for no bytes");
  if (policy < 0 || policy > 2) violation("aclrtMalloc", "an unknown policy");
  *memory = DeviceMemory::instance().take(device, bytes);
  return *memory == nullptr ? failed(slipstream::acl::noMemory, "the device has no memory left") : 0;
}

aclError aclrtFree(void* memory) {
  currentDevice("aclrtFree");
  const std::string user = Streams::instance().userOf(memory, 1);
  if (!user.empty()) violation("aclrtFree", "work of " + user + " that has not run is going to use the memory");
  DeviceMemory::instance().free("aclrtFree", memory);
  return 0;
}

aclError aclrtMallocHost(void** memory, std::size_t bytes) {
  currentDevice("aclrtMallocHost");
  if (bytes == 0) violation("aclrtMallocHost", "asks for no bytes");
  *memory = PinnedMemory::instance().take(bytes);
  return 0;
}

aclError aclrtFreeHost(void* memory) {
  requireInit("aclrtFreeHost");
  PinnedMemory::instance().free("aclrtFreeHost", memory);
  return 0;
}

aclError aclrtMemcpyAsync(void* to, std::size_t room, const void* from, std::size_t bytes, int kind,
                          aclrtStream stream) {
  const std::string call = "aclrtMemcpyAsync";
  if (bytes > room) violation(call, "copies more bytes than there is room for");
  requireAligned(call, to);
  requireAligned(call, from);
  if (kind == slipstream::acl::hostToDevice) {
    giveHostCopy(call, static_cast<std::byte*>(const_cast<void*>(from)), to, bytes, true, stream);
  } else if (kind == slipstream::acl::deviceToHost) {
    giveHostCopy(call, static_cast<std::byte*>(to), from, bytes, false, stream);
  } else if (kind == slipstream::acl::deviceToDevice) {
    reach(call, to, room);
    give(call, stream, {{to, bytes}, {from, bytes}},
         [=] { std::memmove(reach(call, to, bytes), reach(call, from, bytes), bytes); });
  } else {
    violation(call, "an unknown direction");
  }
  return 0;
}

aclError aclrtMemsetAsync(void* memory, std::size_t room, std::int32_t value, std::size_t bytes, aclrtStream stream) {
  const std::string call = "aclrtMemsetAsync";
  if (bytes > room) violation(call, "sets more bytes than there is room for");
  give(call, stream, {{memory, bytes}}, [=] { std::memset(reach(call, memory, bytes), value, bytes); });
  return 0;
}

aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = Streams::instance().make(currentDevice("aclrtCreateStream"));
  return 0;
}

aclError aclrtDestroyStream(aclrtStream stream) {
  Streams::instance().destroy("aclrtDestroyStream", Streams::instance().stream("aclrtDestroyStream", stream));
  return 0;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  Streams::instance().run(Streams::instance().stream("aclrtSynchronizeStream", stream));
  return 0;
}

/// Here, work ends or never does: nothing is waited for in vain.
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, std::int32_t milliseconds) {
  if (milliseconds < -1) violation("aclrtSynchronizeStreamWithTimeout", "a time below -1");
  return aclrtSynchronizeStream(stream);
}

aclError aclrtCreateEvent(aclrtEvent* event) {
  *event = Streams::instance().makeEvent(currentDevice("aclrtCreateEvent"));
  return 0;
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  Streams::instance().destroy("aclrtDestroyEvent", Streams::instance().event("aclrtDestroyEvent", event));
  return 0;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream) {
  Event& event = Streams::instance().event("aclrtRecordEvent", handle);
  if (event.stream != nullptr) violation("aclrtRecordEvent", "the event was recorded before");
  event.stream = &Streams::instance().stream("aclrtRecordEvent", stream);
  ++event.referred;
  // Who waits for the mark may destroy the event as soon as it has passed.
  give("aclrtRecordEvent", stream, {}, [&event, passed = event.passed] {
    --event.referred;
    *passed = true;
  });
  return 0;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent handle) {
  Event& event = Streams::instance().event("aclrtStreamWaitEvent", handle);
  if (event.stream == nullptr) violation("aclrtStreamWaitEvent", "the event was not recorded before");
  ++event.referred;
  give("aclrtStreamWaitEvent", stream, {}, [&event] {
    if (!*event.passed) Streams::instance().runTo(event);
    --event.referred;
  });
  return 0;
}

aclError aclrtSynchronizeEvent(aclrtEvent handle) {
  Event& event = Streams::instance().event("aclrtSynchronizeEvent", handle);
  if (event.stream == nullptr) violation("aclrtSynchronizeEvent", "the event was not recorded before");
  if (!*event.passed) Streams::instance().runTo(event);
  return 0;
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent handle, std::int32_t milliseconds) {
  if (milliseconds < -1) violation("aclrtSynchronizeEventWithTimeout", "a time below -1");
  return aclrtSynchronizeEvent(handle);
}

aclError aclrtQueryEventStatus(aclrtEvent handle, int* status) {
  Event& event = Streams::instance().event("aclrtQueryEventStatus", handle);
  if (event.stream == nullptr) violation("aclrtQueryEventStatus", "the event was not recorded before");
  if (++event.asked == asksUntilDone && !*event.passed) Streams::instance().startTo(event);
  *status = *event.passed ? slipstream::acl::eventComplete : 0;
  return 0;
}

}  // extern "C"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/npu/acl_api.h"

// What the libraries of the fake CANN share. It computes on the host, checks how it is called, and does what it is
// given as late as it may: an event that nobody waits for, memory that goes too early and a descriptor that is used
// twice are seen. Whoever breaks a rule ends the process with a message that names the call.
namespace slipstream::fake {

[[noreturn]] void violation(const std::string& call, const std::string& what);

/// Copies and operators begin at multiples of 64 bytes, in memory of devices as of the host.
void requireAligned(const std::string& call, const void* address);

/// The device that this thread has selected; a violation where it has none.
int currentDevice(const std::string& call);

/// Where the fake itself finds memory of a device, whose addresses nobody may touch: one violation less than `bytes`
/// from there on are of one living allocation.
std::byte* reach(const std::string& call, const void* address, std::size_t bytes);
/// Whether the address is one of a device, of memory that lives or has gone.
bool isOfDevice(const void* address);

/// Memory of a device that a task is going to use.
struct Touched {
  const void* begin;
  std::size_t bytes;
};

/// Puts work behind all that the stream was given. `uses` must live until it has run.
void give(const std::string& call, aclrtStream stream, std::vector<Touched> uses, std::function<void()> work);

/// While it lives, all memory of devices may be touched under its own address.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
};

/// The number that the variable of the environment holds, else `otherwise`.
long numberFromEnvironment(const char* variable, long otherwise);

/// For aclGetRecentErrMsg on this thread; returns the error.
aclError failed(aclError error, const std::string& words);

}  // namespace slipstream::fake

extern "C" {
/// Allocations of all devices that were not freed.
std::size_t fakeCannLiveAllocations();
/// Whether operators were asked for sums in an order that stays.
bool fakeCannIsDeterministic();
/// Tasks that streams were given and did not run yet.
std::size_t fakeCannWaitingTasks();
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/fake_cann/device_memory.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t arenaBytes = std::size_t{256} << 30;
constexpr long mebibytesOfDevice = 4096;
/// A NaN in every number type.
constexpr int poison = 0xFF;

std::size_t wholePages(std::size_t bytes) {
  return (bytes + page - 1) / page * page;
}

std::byte* map(int file, int protection) {
  void* memory = ::mmap(nullptr, arenaBytes, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) violation("aclInit", "this machine gives no address space for the memory of devices");
  return static_cast<std::byte*>(memory);
}

/// Says what happened before the process ends as it would without.
void onFault(int signal, siginfo_t* info, void*) {
  if (DeviceMemory::instance().holds(info->si_addr)) {
    constexpr char words[] = "fake CANN: code of the host touches memory of a device\n";
    if (::write(STDERR_FILENO, words, sizeof(words) - 1) < 0) std::_Exit(1);
    std::abort();
  }
  std::signal(signal, SIG_DFL);
}

void noticeFaults() {
  struct sigaction action {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGSEGV, SIGBUS}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
  static auto* const memory = new DeviceMemory;  // lives to the end: what others free then must find it
  return *memory;
}

DeviceMemory::DeviceMemory()
    : file_(::memfd_create("fake_cann", MFD_CLOEXEC)),
      roomOfDevice_(static_cast<std::size_t>(numberFromEnvironment("FAKE_CANN_MEBIBYTES", mebibytesOfDevice)) << 20U) {
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(arenaBytes)) != 0) {
    violation("aclInit", "this machine gives no file for the memory of devices");
  }
  forbidden_ = map(file_, PROT_NONE);
  own_ = map(file_, PROT_READ | PROT_WRITE);
  noticeFaults();
}

void* DeviceMemory::take(int device, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (bytes > roomOfDevice_ - takenOf_[device]) return nullptr;
  const std::size_t offset = used_;
  used_ += wholePages(bytes) + page;  // what lies behind an allocation is nobody's
  if (used_ > arenaBytes) violation("aclrtMalloc", "all addresses have been given once");
  takenOf_[device] += bytes;
  allocations_[offset] = {bytes, device, true};
  std::memset(own_ + offset, poison, bytes);
  if (unlocked_ > 0) protect(PROT_READ | PROT_WRITE);
  return forbidden_ + offset;
}

void DeviceMemory::free(const std::string& call, void* memory) {
  const std::scoped_lock lock(mutex_);
  const auto found = holds(memory)
                         ? allocations_.find(static_cast<std::size_t>(static_cast<std::byte*>(memory) - forbidden_))
                         : allocations_.end();
  if (found == allocations_.end()) violation(call, "this is no address that aclrtMalloc gave");
  Allocation& allocation = found->second;
  if (!allocation.alive) violation(call, "the memory was freed before");
  allocation.alive = false;
  takenOf_[allocation.device] -= allocation.bytes;
  ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(found->first),
              static_cast<off_t>(wholePages(allocation.bytes)));
}

std::byte* DeviceMemory::reach(const std::string& call, const void* address, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (!holds(address)) violation(call, "an address is not of a device");
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - forbidden_);
  auto after = allocations_.upper_bound(offset);
  if (after == allocations_.begin()) violation(call, "an address is of no allocation");
  const auto& [start, allocation] = *std::prev(after);
  if (!allocation.alive) violation(call, "uses memory after it was freed");
  if (offset + bytes > start + allocation.bytes) {
    violation(call, "reaches " + std::to_string(offset + bytes - start - allocation.bytes) +
                        " bytes beyond the end of an allocation of " + std::to_string(allocation.bytes));
  }
  return own_ + offset;
}

bool DeviceMemory::holds(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return std::less_equal<>{}(forbidden_, at) && std::less<>{}(at, forbidden_ + arenaBytes);
}

std::size_t DeviceMemory::freeBytes(int device) {
  const std::scoped_lock lock(mutex_);
  return roomOfDevice_ - takenOf_[device];
}

std::size_t DeviceMemory::live() {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(allocations_, [](const auto& each) { return each.second.alive; }));
}

void DeviceMemory::unlock() {
  const std::scoped_lock lock(mutex_);
  if (unlocked_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void DeviceMemory::lock() {
  const std::scoped_lock lock(mutex_);
  if (--unlocked_ == 0) protect(PROT_NONE);
}

void DeviceMemory::protect(int protection) {
  if (used_ > 0) ::mprotect(forbidden_, used_, protection);
}

std::byte* reach(const std::string& call, const void* address, std::size_t bytes) {
  return DeviceMemory::instance().reach(call, address, bytes);
}

bool isOfDevice(const void* address) {
  return DeviceMemory::instance().holds(address);
}

Unlocked::Unlocked() {
  DeviceMemory::instance().unlock();
}

Unlocked::~Unlocked() {
  DeviceMemory::instance().lock();
}

}  // namespace slipstream::fake

extern "C" std::size_t fakeCannLiveAllocations() {
  return slipstream::fake::DeviceMemory::instance().live();
}

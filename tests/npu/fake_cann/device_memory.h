// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace slipstream::fake {

/// Memory of all devices of this process: one file in memory that is mapped twice, where nobody may touch it and where
/// the fake does. Addresses are never given twice, so that what has gone is known for ever.
class DeviceMemory {
 public:
  static DeviceMemory& instance();

  /// Null where the device has not so much left. Filled with NaN.
  void* take(int device, std::size_t bytes);
  void free(const std::string& call, void* memory);
  std::byte* reach(const std::string& call, const void* address, std::size_t bytes);
  bool holds(const void* address) const;
  std::size_t freeBytes(int device);
  std::size_t totalBytes() const { return roomOfDevice_; }
  std::size_t live();

  void unlock();
  void lock();

 private:
  struct Allocation {
    std::size_t bytes;
    int device;
    bool alive;
  };
  DeviceMemory();
  void protect(int protection);

  std::mutex mutex_;
  int file_ = -1;
  std::byte* forbidden_ = nullptr;
  std::byte* own_ = nullptr;
  std::size_t used_ = 0;
  std::size_t roomOfDevice_;
  int unlocked_ = 0;
  std::map<std::size_t, Allocation> allocations_;  ///< by offset
  std::map<int, std::size_t> takenOf_;
};

}  // namespace slipstream::fake

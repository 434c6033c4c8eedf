// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// Where the kernels of one device are started, one behind the other, and what they need beside their arguments: a
/// stream, scratch memory. Every entry of a kernel table takes the queue of the device that its pointers are of
/// (Device::queue); each kind of device has a queue of its own, which its kernels know. One thread at a time.
class DeviceQueue {
 public:
  DeviceQueue() = default;
  virtual ~DeviceQueue() = default;
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
};

/// That of devices whose kernels are functions of the host, which have ended when they return. It holds nothing, and
/// all threads may use it.
DeviceQueue& hostQueue();

}  // namespace slipstream

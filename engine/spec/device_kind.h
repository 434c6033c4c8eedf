// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// One kind of device: what planning must know of it. It is opened and listed by its row in engine/devices, computes
/// weights and gradients by its tables in engine/backends, and networks, where its memory is not the host's, by its row
/// in engine/nn (device_networks.cpp).
struct DeviceKind {
  std::string name;                  ///< as experiment files write it
  std::string noun;                  ///< for people: "GPU"
  int mostOfHost = 0;                ///< a host has NAME:0 to NAME:(mostOfHost - 1), which are asked for before a
                                     ///< launch; 0: its one device has no number, and is always there
  std::string emulates = {};         ///< the noun of the device whose kernels it runs on the host; empty: it is real
  bool ownMemory = false;            ///< vectors are not memory of the host: ranks cannot share it, batches are copied
  bool float16Images = false;        ///< may keep images in fp16 between layers, where a loss scale allows for it
  bool multipliesHalfTypes = false;  ///< always, whatever the processor of its host has
  bool denseHalfTypes = false;       ///< dense layers multiply as the type of images, and add up in fp32
  bool fusesConvolutions = false;    ///< convolves and normalises in one pass (engine/plan/fused_convolutions.h)
  std::string collectives = {};      ///< the library that ranks with a device each exchange by: "nccl"; empty: none
  bool reachesPeers = false;         ///< ranks of one host reach into the memory of each other's devices
  std::string sharedBy = {};         ///< the service without which processes on one device take turns; empty: none
  std::string visibleDevices = {};   ///< the environment variable that hides devices of a host from a program
};

const DeviceKind& cpuKind();
const DeviceKind& cudaKind();
/// Ascend NPUs.
const DeviceKind& npuKind();
/// An Ascend NPU that the host stands in for.
const DeviceKind& npuTwinKind();
/// Every kind there is.
const std::vector<const DeviceKind*>& deviceKinds();

/// A device as people name it: `cpu`, `cuda` (of its host's GPUs, each rank its own) or `cuda:1` (that GPU for every
/// rank).
struct DeviceName {
  const DeviceKind* kind = &cpuKind();
  std::optional<int> number = {};
};

/// The library of collective operations as people write it: "NCCL".
std::string collectivesTitle(const DeviceKind& kind);

/// Every name there is.
const std::vector<std::string>& deviceNames();

/// What the names mean, in one line.
std::string deviceNamesHelp();

/// Whether the name is one of an emulated device; false for an unknown name.
bool isEmulated(const std::string& name);

/// `where` is the place that the failure names.
Result<DeviceName> parseDeviceName(const std::string& text, const std::string& where);

/// Whether the text names two devices to compare (`check:cuda,cpu`) instead of one.
bool isDeviceCheck(const std::string& text);

/// The two devices of `check:ONE,OTHER`.
Result<std::pair<DeviceName, DeviceName>> parseDeviceCheck(const std::string& text, const std::string& where);

}  // namespace slipstream

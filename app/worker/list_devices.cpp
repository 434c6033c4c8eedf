// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/device_collectives.h"
#include "engine/cuda/cuda_device.h"
#include "engine/devices/open_device.h"
#include "engine/nn/device_networks.h"
#include "engine/npu/npu_device.h"
#include "engine/spec/device_kind.h"

namespace slipstream::worker {
namespace {

/// A device of this machine, and what a network cannot be trained on it without: its libraries, kernels.
struct Listed {
  int number;
  std::string model;
  std::int64_t memoryBytes;
  Failures lacking;
};

/// `lacking` is known before; whether the device opens and has all kernel tables is added.
Listed listed(const auto& found, const DeviceKind& kind, Failures lacking) {
  MemoryMeter meter;
  const auto device = openDevice(kind, found.number, meter);
  if (!device) return {found.number, found.model, found.memoryBytes, device.error()};
  try {
    trainingKernels(**device);
  } catch (const Error& error) {
    lacking.push_back({"device", "", error.what(), ""});
  }
  if (!lacking.empty()) offerTheCpu(lacking);
  return {found.number, found.model, found.memoryBytes, lacking};
}

Result<std::vector<Listed>> listGpus() {
  SLIPSTREAM_TRY(gpus, listCudaGpus());
  std::vector<Listed> all;
  for (const CudaGpu& gpu : gpus) all.push_back(listed(gpu, cudaKind(), networksOf(cudaKind()).missingLibraries()));
  return all;
}

Result<std::vector<Listed>> listAscendNpus() {
  SLIPSTREAM_TRY(npus, listNpus());
  Failures lacking = networksOf(npuKind()).missingLibraries();
  const auto kernels = npuKernelFile();
  collect(kernels, lacking);
  std::vector<Listed> all;
  for (const Npu& npu : npus) all.push_back(listed(npu, npuKind(), lacking));
  return all;
}

/// The same sentence of every failure in one text.
std::string joined(const Failures& failures, std::string Failure::*sentence) {
  std::vector<std::string> texts;
  for (const Failure& failure : failures) {
    if (!(failure.*sentence).empty()) texts.push_back(failure.*sentence);
  }
  return join(texts, "; ");
}

nlohmann::json describe(const Listed& device, const DeviceKind& kind) {
  const Status library = collectivesOf(kind)->isThere();
  nlohmann::json entry{{"name", fmt::format("{}:{}", kind.name, device.number)},
                       {"usable", device.lacking.empty()},
                       {"description", device.model + ", " + sizeText(device.memoryBytes)},
                       {"memory_bytes", device.memoryBytes},
                       {kind.collectives, library.has_value()}};
  if (!device.lacking.empty()) {
    entry["description"] = entry["description"].get<std::string>() + ": " + joined(device.lacking, &Failure::problem);
    entry["remedy"] = joined(device.lacking, &Failure::remedy);
  }
  if (!library) {
    entry["without_" + kind.collectives] =
        fmt::format("no {}, so ranks exchange otherwise: {}", collectivesTitle(kind), trim(toText(library.error())));
  }
  return entry;
}

void addDevices(nlohmann::json& list, const DeviceKind& kind, Result<std::vector<Listed>> devices) {
  if (!devices) {
    offerTheCpu(devices.error());
    const Failure& why = devices.error().front();
    list.push_back({{"name", kind.name}, {"usable", false}, {"description", why.problem}, {"remedy", why.remedy}});
    return;
  }
  for (const Listed& device : *devices) list.push_back(describe(device, kind));
}

Result<std::unique_ptr<Device>> open(const std::string& text, MemoryMeter& meter) {
  SLIPSTREAM_TRY(name, parseDeviceName(text, "device"));
  return openDevice(*name.kind, name.number.value_or(0), meter);
}

}  // namespace

int listDevices() {
  nlohmann::json list = nlohmann::json::array();
  list.push_back({{"name", cpuKind().name}, {"usable", true}, {"description", cpuKind().name}});
  addDevices(list, cudaKind(), listGpus());
  addDevices(list, npuKind(), listAscendNpus());
  list.push_back({{"name", npuTwinKind().name},
                  {"usable", true},
                  {"emulated", true},
                  {"description", "emulated: kernels of an NPU on this processor, for correctness, never for speed"}});
  std::cout << list << "\n";
  return 0;
}

int compareDevices(const std::vector<std::string>& names) {
  if (names.size() != 2) throw Error("--compare needs two devices");
  MemoryMeter meter;
  const auto one = open(names[0], meter);
  const auto other = open(names[1], meter);
  Failures failures;
  collect(one, failures);
  collect(other, failures);
  if (!failures.empty()) {
    std::cerr << toText(failures);
    return 2;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [kernel, largest] : slipstream::compareDevices(**one, **other)) {
    // JSON knows no NaN: null is a difference without bounds.
    list.push_back({{"kernel", kernel}, {"largest", largest}});
  }
  std::cout << list << "\n";
  return 0;
}

}  // namespace slipstream::worker

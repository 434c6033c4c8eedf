// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/nccl_communicator.h"
#include "engine/device/cuda/cuda_device.h"
#include "engine/device/open_device.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/spec/device_kind.h"

namespace slipstream::worker {
namespace {

/// What a network cannot be trained on the GPU without: that it opens, all kernel tables, the libraries.
Failures lackedBy(const CudaGpu& gpu) {
  MemoryMeter meter;
  const auto device = openCudaDevice(gpu.number, meter);
  if (!device) return device.error();
  Failures lacking = missingCudaLibraries();
  try {
    trainingKernels(**device);
  } catch (const Error& error) {
    lacking.push_back({"device", "", error.what(), ""});
  }
  return lacking;
}

/// The same sentence of every failure in one text.
std::string joined(const Failures& failures, std::string Failure::*sentence) {
  std::vector<std::string> texts;
  for (const Failure& failure : failures) {
    if (!(failure.*sentence).empty()) texts.push_back(failure.*sentence);
  }
  return join(texts, "; ");
}

nlohmann::json describe(const CudaGpu& gpu) {
  const Failures lacking = lackedBy(gpu);
  const Status nccl = ncclIsThere();
  nlohmann::json entry{{"name", fmt::format("{}:{}", cudaKind().name, gpu.number)},
                       {"usable", lacking.empty()},
                       {"description", gpu.model + ", " + sizeText(gpu.memoryBytes)},
                       {"memory_bytes", gpu.memoryBytes},
                       {"nccl", nccl.has_value()}};
  if (!lacking.empty()) {
    const std::string remedy = joined(lacking, &Failure::remedy);
    entry["description"] = entry["description"].get<std::string>() + ": " + joined(lacking, &Failure::problem);
    entry["remedy"] = remedy.empty() ? "use cpu" : remedy + "; or use cpu";
  }
  if (!nccl) entry["without_nccl"] = "no NCCL, so ranks exchange otherwise: " + trim(toText(nccl.error()));
  return entry;
}

void addGpus(nlohmann::json& list) {
  const auto gpus = listCudaGpus();
  if (!gpus) {
    const Failure& why = gpus.error().front();
    list.push_back(
        {{"name", cudaKind().name}, {"usable", false}, {"description", why.problem}, {"remedy", why.remedy}});
    return;
  }
  for (const CudaGpu& gpu : *gpus) list.push_back(describe(gpu));
}

Result<std::unique_ptr<Device>> open(const std::string& text, MemoryMeter& meter) {
  SLIPSTREAM_TRY(name, parseDeviceName(text, "device"));
  return openDevice(*name.kind, name.number.value_or(0), meter);
}

}  // namespace

int listDevices() {
  nlohmann::json list = nlohmann::json::array();
  list.push_back({{"name", cpuKind().name}, {"usable", true}, {"description", cpuKind().name}});
  addGpus(list);
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

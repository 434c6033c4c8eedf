#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/nccl_communicator.h"
#include "engine/device/cuda/cuda_device.h"
#include "engine/device/open_device.h"
#include "engine/plan/device_name.h"

namespace slipstream::worker {
namespace {

/// What the GPUs' kernel tables have no entry for; empty where a network can be trained on them.
std::string lackedBy(const CudaGpu& gpu) {
  const auto meter = makeMemoryMeter();
  const auto device = openCudaDevice(gpu.number, *meter);
  if (!device) return device.error().front().problem;
  try {
    trainingKernels(**device);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

nlohmann::json describe(const CudaGpu& gpu, const std::string& lacks) {
  nlohmann::json entry{{"name", "cuda:" + std::to_string(gpu.number)},
                       {"usable", true},
                       {"description", gpu.model + ", " + sizeText(gpu.memoryBytes)},
                       {"memory_bytes", gpu.memoryBytes},
                       {"nccl", ncclIsThere().has_value()}};
  if (!lacks.empty()) entry["lacks"] = lacks;
  return entry;
}

void addGpus(nlohmann::json& list) {
  const auto gpus = listCudaGpus();
  if (!gpus) {
    const Failure& why = gpus.error().front();
    list.push_back({{"name", "cuda"}, {"usable", false}, {"description", why.problem}, {"remedy", why.remedy}});
    return;
  }
  const std::string lacks = lackedBy(gpus->front());  // all of them have the build's tables
  for (const CudaGpu& gpu : *gpus) list.push_back(describe(gpu, lacks));
}

Result<std::unique_ptr<Device>> open(const std::string& text, MemoryMeter& meter) {
  SLIPSTREAM_TRY(name, parseDeviceName(text, "device"));
  return openDevice(name.kind, name.number.value_or(0), meter);
}

}  // namespace

int listDevices() {
  nlohmann::json list = nlohmann::json::array();
  list.push_back({{"name", "cpu"}, {"usable", true}, {"description", "cpu"}});
  addGpus(list);
  std::cout << list << "\n";
  return 0;
}

int compareDevices(const std::vector<std::string>& names) {
  if (names.size() != 2) throw Error("--compare needs two devices");
  const auto meter = makeMemoryMeter();
  const auto one = open(names[0], *meter);
  const auto other = open(names[1], *meter);
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

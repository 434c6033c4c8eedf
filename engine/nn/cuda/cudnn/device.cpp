// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/device.h"

#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace slipstream {
namespace {

CudnnDescriptor propertiesOf(cudnnHandle_t handle) {
  CudnnDescriptor made(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "the properties of this GPU");
  made.set(CUDNN_ATTR_DEVICEPROP_HANDLE, handle).finalize();
  return made;
}

CudnnDescriptor propertiesFrom(const std::string& text) {
  CudnnDescriptor made(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "the properties of a GPU");
  made.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, std::span<const char>(text.c_str(), text.size() + 1)).finalize();
  return made;
}

std::string textOf(const std::vector<char>& characters) {
  return {characters.data(), strnlen(characters.data(), characters.size())};
}

std::string nameFrom(const std::string& properties) {
  const auto json = nlohmann::json::parse(properties, nullptr, false);
  if (!json.is_object() || !json.contains("deviceVer") || !json["deviceVer"].is_number_integer())
    throw Error("cuDNN's properties of a GPU are no such object");
  return fmt::format("{} sm_{} with {} processors, cuDNN {}", json.value("deviceName", "unknown"),
                     json["deviceVer"].get<int>() / 10, json.value("multiProcessorCount", 0), cudnn().getVersion());
}

}  // namespace

CudnnHandle::CudnnHandle(cudaStream_t stream) {
  cudnnHandle_t made = nullptr;
  checkCudnn(cudnn().create(&made), "open the GPU");
  handle_.reset(made);
  checkCudnn(cudnn().setStream(made, stream), "choose the stream");
}

CudnnDevice::CudnnDevice(const CudnnHandle& handle)
    : properties_(propertiesOf(handle.get())), handle_(handle.get()), name_(nameFrom(properties())) {}

CudnnDevice::CudnnDevice(const std::string& properties)
    : properties_(propertiesFrom(properties)), name_(nameFrom(properties)) {}

std::string CudnnDevice::properties() const {
  return textOf(properties_.values<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION));
}

}  // namespace slipstream

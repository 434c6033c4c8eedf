// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/descriptor.h"

#include <algorithm>

namespace slipstream {
namespace {

std::vector<cudnnBackendDescriptor_t> handlesOf(const std::vector<CudnnDescriptor>& descriptors) {
  std::vector<cudnnBackendDescriptor_t> handles;
  for (const auto& each : descriptors) handles.push_back(each.handle());
  return handles;
}

}  // namespace

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string name) : name_(std::move(name)) {
  cudnnBackendDescriptor_t made = nullptr;
  checkCudnn(cudnn().createDescriptor(type, &made), "make " + name_);
  handle_.reset(made);
}

CudnnDescriptor& CudnnDescriptor::setRaw(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type,
                                         std::int64_t count, const void* values) {
  checkCudnn(cudnn().setAttribute(handle(), attribute, type, count, values),
             "set attribute " + std::to_string(attribute) + " of " + name_);
  return *this;
}

CudnnDescriptor& CudnnDescriptor::set(cudnnBackendAttributeName_t attribute, const CudnnDescriptor& value) {
  const cudnnBackendDescriptor_t handle = value.handle();
  return setRaw(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &handle);
}

CudnnDescriptor& CudnnDescriptor::set(cudnnBackendAttributeName_t attribute,
                                      const std::vector<CudnnDescriptor>& values) {
  const auto handles = handlesOf(values);
  return setRaw(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::ssize(handles), handles.data());
}

CudnnDescriptor& CudnnDescriptor::finalize() {
  checkCudnn(cudnn().finalize(handle()), "finalize " + name_);
  return *this;
}

bool CudnnDescriptor::tryFinalize() {
  return cudnn().finalize(handle()) == CUDNN_STATUS_SUCCESS;
}

std::int64_t CudnnDescriptor::count(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type) const {
  return getRaw(attribute, type, 0, nullptr);
}

std::int64_t CudnnDescriptor::getRaw(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type,
                                     std::int64_t most, void* values) const {
  std::int64_t found = 0;
  checkCudnn(cudnn().getAttribute(handle(), attribute, type, most, &found, values),
             "get attribute " + std::to_string(attribute) + " of " + name_);
  return most == 0 ? found : std::min(found, most);
}

std::vector<CudnnDescriptor> CudnnDescriptor::descriptors(cudnnBackendAttributeName_t attribute,
                                                          cudnnBackendDescriptorType_t type,
                                                          const std::string& name) const {
  std::vector<CudnnDescriptor> found;
  const auto most = count(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR);
  for (std::int64_t i = 0; i < most; ++i) found.emplace_back(type, name);
  auto handles = handlesOf(found);
  const auto filled = getRaw(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, handles.data());
  found.erase(found.begin() + filled, found.end());
  return found;
}

}  // namespace slipstream

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/nn/cuda/cudnn/descriptor.h"

namespace slipstream {

/// cuDNN's handle for the GPU that this thread opened last; its work goes to `stream`.
class CudnnHandle {
 public:
  explicit CudnnHandle(cudaStream_t stream);
  cudnnHandle_t get() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(cudnnHandle_t handle) const { cudnn().destroy(handle); }
  };
  std::unique_ptr<cudnnContext, Destroy> handle_;
};

/// The GPU that plans are made for: this machine's, or one that is known by its properties only.
class CudnnDevice {
 public:
  explicit CudnnDevice(const CudnnHandle& handle);
  /// `properties` as cuDNN writes them: a JSON object. Throws Error where they are not that.
  explicit CudnnDevice(const std::string& properties);

  /// Equal where one plan serves both: model, architecture, processors and the version of cuDNN.
  const std::string& name() const { return name_; }
  /// cuDNN's JSON object; the tests' fixtures are such.
  std::string properties() const;
  /// Present where plans can also run.
  std::optional<cudnnHandle_t> handle() const { return handle_; }
  const CudnnDescriptor& descriptor() const { return properties_; }

 private:
  CudnnDescriptor properties_;
  std::optional<cudnnHandle_t> handle_;
  std::string name_;
};

}  // namespace slipstream

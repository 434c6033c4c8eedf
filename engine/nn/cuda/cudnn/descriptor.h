// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/nn/cuda/cudnn/library.h"

namespace slipstream {

class CudnnDescriptor;

/// Under which name cuDNN takes a value of type T as an attribute.
template <class T>
struct CudnnAttribute;
template <cudnnBackendAttributeType_t type>
using CudnnName = std::integral_constant<cudnnBackendAttributeType_t, type>;
template <>
struct CudnnAttribute<bool> : CudnnName<CUDNN_TYPE_BOOLEAN> {};
template <>
struct CudnnAttribute<std::int64_t> : CudnnName<CUDNN_TYPE_INT64> {};
template <>
struct CudnnAttribute<double> : CudnnName<CUDNN_TYPE_DOUBLE> {};
template <>
struct CudnnAttribute<char> : CudnnName<CUDNN_TYPE_CHAR> {};
template <>
struct CudnnAttribute<void*> : CudnnName<CUDNN_TYPE_VOID_PTR> {};
template <>
struct CudnnAttribute<cudnnHandle_t> : CudnnName<CUDNN_TYPE_HANDLE> {};
template <>
struct CudnnAttribute<cudnnDataType_t> : CudnnName<CUDNN_TYPE_DATA_TYPE> {};
template <>
struct CudnnAttribute<cudnnConvolutionMode_t> : CudnnName<CUDNN_TYPE_CONVOLUTION_MODE> {};
template <>
struct CudnnAttribute<cudnnPointwiseMode_t> : CudnnName<CUDNN_TYPE_POINTWISE_MODE> {};
template <>
struct CudnnAttribute<cudnnNanPropagation_t> : CudnnName<CUDNN_TYPE_NAN_PROPOGATION> {};
template <>
struct CudnnAttribute<cudnnGenStatsMode_t> : CudnnName<CUDNN_TYPE_GENSTATS_MODE> {};
template <>
struct CudnnAttribute<cudnnBackendHeurMode_t> : CudnnName<CUDNN_TYPE_HEUR_MODE> {};
template <>
struct CudnnAttribute<cudnnBackendNumericalNote_t> : CudnnName<CUDNN_TYPE_NUMERICAL_NOTE> {};

/// One of cuDNN's backend descriptors, which ends with this value. Errors give its name.
class CudnnDescriptor {
 public:
  CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string name);

  template <class T>
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const T& value) {
    return setRaw(attribute, CudnnAttribute<T>::value, 1, &value);
  }
  template <class T>
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, std::span<const T> values) {
    return setRaw(attribute, CudnnAttribute<T>::value, std::ssize(values), values.data());
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const CudnnDescriptor& value);
  CudnnDescriptor& set(cudnnBackendAttributeName_t attribute, const std::vector<CudnnDescriptor>& values);
  CudnnDescriptor& finalize();
  /// The same, without throwing: what was refused is an answer.
  bool tryFinalize();

  /// As many values as there are.
  template <class T>
  std::vector<T> values(cudnnBackendAttributeName_t attribute) const {
    std::vector<T> found(static_cast<std::size_t>(count(attribute, CudnnAttribute<T>::value)));
    const auto most = std::ssize(found);
    found.resize(static_cast<std::size_t>(getRaw(attribute, CudnnAttribute<T>::value, most, found.data())));
    return found;
  }
  /// The same of an attribute that holds descriptors of one type.
  std::vector<CudnnDescriptor> descriptors(cudnnBackendAttributeName_t attribute, cudnnBackendDescriptorType_t type,
                                           const std::string& name) const;

  cudnnBackendDescriptor_t handle() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(void* descriptor) const { cudnn().destroyDescriptor(descriptor); }
  };

  CudnnDescriptor& setRaw(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type, std::int64_t count,
                          const void* values);
  std::int64_t count(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type) const;
  std::int64_t getRaw(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type, std::int64_t most,
                      void* values) const;

  std::unique_ptr<void, Destroy> handle_;
  std::string name_;
};

}  // namespace slipstream

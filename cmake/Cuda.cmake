# SPDX-License-Identifier: GPL-3.0-or-later
# The CUDA device. Its programs load cuDNN 9 and CUDA 13's cuBLASLt by name (engine/nn/cuda/cudnn/library.cpp,
# engine/nn/cuda/matrix_products.cpp), and were built with no other versions.
set(SLIPSTREAM_CUDA_VERSION 13)
set(SLIPSTREAM_CUDNN_VERSION 9)

# What was found instead of what is wanted: ends the configuration where the device must be there (ON), and is said where
# it is left out then (AUTO).
function(slipstream_reject_cuda found wanted)
  if(SLIPSTREAM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SLIPSTREAM_CUDA is ON, but ${found}: ${wanted}, or set SLIPSTREAM_CUDA to AUTO or OFF.")
  endif()
  message(STATUS "CUDA: ${found}: ${wanted}")
endfunction()

set(SLIPSTREAM_HAS_CUDA OFF)
set(SLIPSTREAM_HAS_CUDNN OFF)
set(SLIPSTREAM_HAS_NCCL OFF)
if(NOT SLIPSTREAM_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SLIPSTREAM_CUDA is ${SLIPSTREAM_CUDA}: set it to AUTO, ON or OFF.")
endif()

if(NOT SLIPSTREAM_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
  find_program(SLIPSTREAM_NVCC nvcc HINTS ${CUDAToolkit_BIN_DIR})
  if(NOT SLIPSTREAM_NVCC OR NOT CUDAToolkit_FOUND)
    slipstream_reject_cuda("no CUDA toolkit was found" "put nvcc of CUDA Toolkit ${SLIPSTREAM_CUDA_VERSION} on PATH")
  elseif(NOT CUDAToolkit_VERSION_MAJOR EQUAL SLIPSTREAM_CUDA_VERSION)
    slipstream_reject_cuda("CUDA Toolkit ${CUDAToolkit_VERSION} was found (${SLIPSTREAM_NVCC})"
                      "put nvcc of CUDA Toolkit ${SLIPSTREAM_CUDA_VERSION} on PATH, and configure an empty folder")
  else()
    set(SLIPSTREAM_HAS_CUDA ON)
  endif()
endif()

if(SLIPSTREAM_HAS_CUDA)
  set(CMAKE_CUDA_COMPILER ${SLIPSTREAM_NVCC})
  set(CMAKE_CUDA_ARCHITECTURES ${SLIPSTREAM_CUDA_ARCHITECTURES})
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc speaks C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA_STANDARD 20)
  # Of cuDNN and cuBLASLt only the headers are needed: a program loads them when it opens a GPU, and starts without them.
  # Where they were at configure time is where it looks after the loader's own places.
  find_path(SLIPSTREAM_CUDNN_INCLUDE cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_path(SLIPSTREAM_CUBLASLT_INCLUDE cublasLt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_file(SLIPSTREAM_CUDNN_LIBRARY libcudnn.so.${SLIPSTREAM_CUDNN_VERSION} HINTS ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
  find_file(SLIPSTREAM_CUBLASLT_LIBRARY libcublasLt.so.${SLIPSTREAM_CUDA_VERSION} HINTS ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
  # NVRTC is what cuDNN compiles plans with.
  find_file(SLIPSTREAM_NVRTC_LIBRARY libnvrtc.so.${SLIPSTREAM_CUDA_VERSION} HINTS ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
  if(SLIPSTREAM_CUDNN_INCLUDE AND SLIPSTREAM_CUBLASLT_INCLUDE)
    set(version_line "")
    if(EXISTS ${SLIPSTREAM_CUDNN_INCLUDE}/cudnn_version.h)
      file(STRINGS ${SLIPSTREAM_CUDNN_INCLUDE}/cudnn_version.h version_line REGEX "^#define CUDNN_MAJOR +[0-9]+" LIMIT_COUNT 1)
    endif()
    string(REGEX MATCH "[0-9]+" version "${version_line}")
    if(version EQUAL SLIPSTREAM_CUDNN_VERSION)
      set(SLIPSTREAM_HAS_CUDNN ON)
    else()
      slipstream_reject_cuda("cudnn.h of version '${version}' was found in ${SLIPSTREAM_CUDNN_INCLUDE}"
                        "networks on a GPU want cuDNN ${SLIPSTREAM_CUDNN_VERSION}; set SLIPSTREAM_CUDNN_INCLUDE to the folder of its headers")
    endif()
  else()
    message(STATUS "CUDA: no cudnn.h beside cublasLt.h was found: networks on a GPU want cuDNN ${SLIPSTREAM_CUDNN_VERSION}")
  endif()
  # Only its header: the library is opened where it is used (engine/comm/nccl_library.h).
  find_path(SLIPSTREAM_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  if(SLIPSTREAM_NCCL_INCLUDE)
    set(SLIPSTREAM_HAS_NCCL ON)
  endif()
endif()
message(STATUS "CUDA device: ${SLIPSTREAM_HAS_CUDA}, with networks: ${SLIPSTREAM_HAS_CUDNN}, with NCCL: ${SLIPSTREAM_HAS_NCCL}")

# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels of Ascend NPUs: the same source is compiled here against our own kernel_operator.h (engine/npu/twin), which
# executes it on the host, and by Cann.cmake with Huawei's compiler. What the host needs of a source, the declarations of its
# kernels, is read from the source itself, so that the two cannot differ.
set(SLIPSTREAM_NPU_GENERATED ${CMAKE_BINARY_DIR}/generated/npu_kernels)
set(SLIPSTREAM_NPU_TWIN ${CMAKE_SOURCE_DIR}/engine/npu/twin)

# The C declarations of a source's kernels, and their names. Fails where the source holds a __global__ that the pattern does
# not read, since nothing could launch that kernel.
function(slipstream_npu_declarations source declarations names)
  file(READ ${source} text)
  string(REGEX MATCHALL "extern \"C\" __global__ __aicore__ void [a-z_0-9]+\\([^)]*\\)" kernels "${text}")
  if(NOT kernels)
    message(FATAL_ERROR "${source} holds no kernel.")
  endif()
  string(REGEX MATCHALL "__global__" globals "${text}")
  list(LENGTH globals expected)
  list(LENGTH kernels found)
  if(NOT found EQUAL expected)
    message(FATAL_ERROR "${source}: only ${found} of ${expected} __global__ could be read as the declaration of a kernel. Write each one as "
                        "extern \"C\" __global__ __aicore__ void slipstream_name(...) in small letters.")
  endif()
  set(all "")
  set(called "")
  foreach(kernel IN LISTS kernels)
    string(REGEX REPLACE "extern \"C\" __global__ __aicore__ " "extern \"C\" " kernel "${kernel}")
    string(REGEX REPLACE "GM_ADDR" "std::uint8_t*" kernel "${kernel}")
    string(REGEX REPLACE "(uint(32|64)_t) " "std::\\1 " kernel "${kernel}")
    string(REGEX REPLACE "[ \n]+" " " kernel "${kernel}")
    string(REGEX MATCH "slipstream_[a-z_0-9]+" name "${kernel}")
    string(APPEND all "${kernel};\n")
    list(APPEND called ${name})
  endforeach()
  set(${declarations} "${all}" PARENT_SCOPE)
  set(${names} "${called}" PARENT_SCOPE)
endfunction()

# Adds a source of kernels to a target, with the header npu_kernels/NAME.h that describes them for launches.
function(slipstream_npu_kernels target name source)
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  slipstream_npu_declarations(${source} declarations names)
  set(descriptions "")
  foreach(kernel IN LISTS names)
    string(REGEX REPLACE "^slipstream_" "" short ${kernel})
    string(APPEND descriptions "inline constexpr NpuKernel ${short} = npuKernel<${kernel}>(\"${kernel}\");\n")
  endforeach()
  file(CONFIGURE OUTPUT ${SLIPSTREAM_NPU_GENERATED}/${name}.h @ONLY CONTENT [=[
// Made from @source@ by cmake/NpuKernels.cmake.
#pragma once

#include <cstdint>

#include "engine/npu/npu_kernel.h"

@declarations@
namespace slipstream::npu_kernels {
@descriptions@}
]=])
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
                              INCLUDE_DIRECTORIES ${SLIPSTREAM_NPU_TWIN} COMPILE_OPTIONS -O3)
  set_property(GLOBAL APPEND PROPERTY SLIPSTREAM_NPU_SOURCES ${source})
  set_property(GLOBAL APPEND PROPERTY SLIPSTREAM_NPU_HEADERS npu_kernels/${name}.h)
  set_property(GLOBAL APPEND PROPERTY SLIPSTREAM_NPU_KERNELS ${names})
endfunction()

# To be called when all kernels are known: a library that executes any of them by name, for what stands in for CANN's
# runtime in tests (engine/npu/twin/kernels_on_host.h).
function(slipstream_npu_kernels_on_host)
  get_property(headers GLOBAL PROPERTY SLIPSTREAM_NPU_HEADERS)
  get_property(names GLOBAL PROPERTY SLIPSTREAM_NPU_KERNELS)
  set(includes "")
  foreach(header ${headers})
    string(APPEND includes "#include \"${header}\"\n")
  endforeach()
  set(entries "")
  foreach(name ${names})
    string(REGEX REPLACE "^slipstream_" "" short ${name})
    string(APPEND entries "    npu_kernels::${short},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${SLIPSTREAM_NPU_GENERATED}/all_kernels.h @ONLY CONTENT [=[
// Made by cmake/NpuKernels.cmake: every kernel of an NPU.
#pragma once

@includes@
namespace slipstream {
inline constexpr NpuKernel allNpuKernels[] = {
@entries@};
}
]=])
  add_library(slipstream_npu_kernels_on_host SHARED ${SLIPSTREAM_NPU_TWIN}/kernels_on_host.cpp)
  target_link_libraries(slipstream_npu_kernels_on_host PRIVATE slipstream_boost_kernels slipstream_optimizer_kernels slipstream_npu)
  set_target_properties(slipstream_npu_kernels_on_host PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# Switches of the build; every preset in CMakePresets.json sets only these.
option(SLIPSTREAM_TESTS "Build the tests and benchmarks" ON)
set(SLIPSTREAM_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize= (address,undefined or thread)")
set(SLIPSTREAM_CUDA AUTO CACHE STRING "CUDA device: AUTO (where a toolkit that fits is), ON (required) or OFF")
set_property(CACHE SLIPSTREAM_CUDA PROPERTY STRINGS AUTO ON OFF)
# Each architecture is compiled by itself; for newer GPUs the driver compiles PTX.
set(SLIPSTREAM_CUDA_ARCHITECTURES 80 CACHE STRING "GPUs to compile machine code for, as CMAKE_CUDA_ARCHITECTURES: 80;90")

option(SLIPSTREAM_TOGETHER "Compile source files together: less time from nothing, more where one file changes" OFF)
set(SLIPSTREAM_TOGETHER_FILES 24 CACHE STRING "How many at most")

find_program(SLIPSTREAM_CCACHE ccache)
if(SLIPSTREAM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SLIPSTREAM_CCACHE})
endif()

# A hundred programs are linked; mold takes a third of the usual linker's time.
find_program(SLIPSTREAM_MOLD mold)
if(SLIPSTREAM_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(slipstream_options INTERFACE)
target_include_directories(slipstream_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# -Wrestrict is wrong about std::string in g++ 12 (GCC bug 105651).
target_compile_options(slipstream_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror;-Wshadow;-Wconversion;-Wsign-conversion;-Wold-style-cast;-Wnon-virtual-dtor>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(SLIPSTREAM_TOGETHER)
  # Of many files compiled together g++ 12 is wrong about more of std::variant; the presets that compile file by file keep
  # the warning.
  target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # g++ looks for garbage each time its heap has grown by a share, which takes time where many files make a large heap. With
  # this parameter it begins at a gigabyte: a twelfth less time, for a fifth more memory. A process then takes up to 1.9 GB,
  # which a machine must have for each job of the build: ninja starts up to two more than there are processors.
  cmake_host_system_information(RESULT memory_mb QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR enough_mb "2000 * (${processors} + 2)")
  if(memory_mb GREATER_EQUAL enough_mb)
    target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
  endif()
endif()
# On a GPU too, one formula gives one result: no fused multiply-adds but those that are written down. Constant
# expressions are the same text for both. nvcc hands g++ parentheses of its own.
target_compile_options(slipstream_options INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;--Werror=all-warnings;-Xcompiler=-Wall$<COMMA>-Wno-parentheses>)
if(SLIPSTREAM_SANITIZE)
  # -Wmaybe-uninitialized is wrong about std::regex under the address sanitizer in g++ 12 (GCC bug 105562).
  target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(slipstream_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SLIPSTREAM_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(slipstream_options INTERFACE -fsanitize=${SLIPSTREAM_SANITIZE})
endif()

# SPDX-License-Identifier: GPL-3.0-or-later
# Switches of the build; every preset in CMakePresets.json sets only these.
option(SLIPSTREAM_TESTS "Build the tests and benchmarks" ON)
set(SLIPSTREAM_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize= (address,undefined or thread)")
set(SLIPSTREAM_CUDA AUTO CACHE STRING "CUDA device: AUTO (where a toolkit that fits is), ON (required) or OFF")
set_property(CACHE SLIPSTREAM_CUDA PROPERTY STRINGS AUTO ON OFF)
# Each architecture is compiled by itself; for newer GPUs the driver compiles PTX.
set(SLIPSTREAM_CUDA_ARCHITECTURES 80 CACHE STRING "GPUs to compile machine code for, as CMAKE_CUDA_ARCHITECTURES: 80;90")

option(SLIPSTREAM_TOGETHER "Compile up to 24 source files at a time: less time from nothing, more where one file changes" OFF)

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

# -Wrestrict is wrong about std::string in g++ 12 (GCC bug 105651).
add_library(slipstream_options INTERFACE)
target_include_directories(slipstream_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(slipstream_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror;-Wshadow;-Wconversion;-Wsign-conversion;-Wold-style-cast;-Wnon-virtual-dtor;-Wno-restrict;-ffp-contract=off>)
# Compiled together, g++ 12 is wrong about more of std::variant; the presets that compile file by file keep the warning.
if(SLIPSTREAM_TOGETHER)
  target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
# g++ collects its garbage from a gigabyte on: a twelfth less time for a fifth more memory, of which a process takes 1.9 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
endif()
# On a GPU too, one formula gives one result: no fused multiply-adds but those that are written down. Constant
# expressions are the same text for both. nvcc hands g++ parentheses of its own.
target_compile_options(slipstream_options INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;--Werror=all-warnings;-Xcompiler=-Wall$<COMMA>-Wno-parentheses>)
if(SLIPSTREAM_SANITIZE)
  # -Wmaybe-uninitialized is wrong about std::regex under the address sanitizer in g++ 12 (GCC bug 105562).
  target_compile_options(slipstream_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  target_compile_options(slipstream_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SLIPSTREAM_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(slipstream_options INTERFACE -fsanitize=${SLIPSTREAM_SANITIZE})
endif()

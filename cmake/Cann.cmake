# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels of NPUs (NpuKernels.cmake) compiled for Atlas A2 by the compiler of CANN, Huawei's toolkit, into one binary beside
# the programs, which load it when they open an NPU. Nothing is linked, and without CANN everything else is built all the same.
# No machine with CANN has run this file: the flags are those of Ascend C's public documentation, and may be set.
set(SLIPSTREAM_CANN "" CACHE PATH "CANN toolkit whose compiler makes the NPU's kernels; empty: none")
set(SLIPSTREAM_CANN_FLAGS "--npu-arch=dav-2201;-x;asc;-std=c++17;-O2" CACHE STRING "What CANN's compiler is given for a kernel's source")

# To be called when all kernels are known.
function(slipstream_cann_kernels)
  if(NOT SLIPSTREAM_CANN)
    return()
  endif()
  # Another toolkit, another compiler: what was found in the former one is forgotten.
  if(NOT SLIPSTREAM_CANN STREQUAL SLIPSTREAM_CANN_SEARCHED)
    foreach(found COMPILER LINKER HEADERS)
      unset(SLIPSTREAM_CANN_${found} CACHE)
    endforeach()
    set(SLIPSTREAM_CANN_SEARCHED ${SLIPSTREAM_CANN} CACHE INTERNAL "")
  endif()
  find_program(SLIPSTREAM_CANN_COMPILER NAMES bisheng ccec NO_DEFAULT_PATH
               PATHS ${SLIPSTREAM_CANN}/bin ${SLIPSTREAM_CANN}/compiler/bin ${SLIPSTREAM_CANN}/compiler/ccec_compiler/bin
                     ${SLIPSTREAM_CANN}/tools/bisheng_compiler/bin)
  find_program(SLIPSTREAM_CANN_LINKER NAMES ld.lld NO_DEFAULT_PATH
               PATHS ${SLIPSTREAM_CANN}/bin ${SLIPSTREAM_CANN}/compiler/bin ${SLIPSTREAM_CANN}/compiler/ccec_compiler/bin
                     ${SLIPSTREAM_CANN}/tools/bisheng_compiler/bin)
  find_path(SLIPSTREAM_CANN_HEADERS kernel_operator.h NO_DEFAULT_PATH
            PATHS ${SLIPSTREAM_CANN}/include/ascendc ${SLIPSTREAM_CANN}/compiler/tikcpp/tikcfw ${SLIPSTREAM_CANN}/tools/tikcpp/tikcfw
                  ${SLIPSTREAM_CANN}/compiler/ascendc/include/basic_api ${SLIPSTREAM_CANN}/asc/include/basic_api)
  foreach(needed COMPILER LINKER HEADERS)
    if(NOT SLIPSTREAM_CANN_${needed})
      message(FATAL_ERROR "SLIPSTREAM_CANN is ${SLIPSTREAM_CANN}, where no compiler of CANN is to be found (missing: ${needed}): name the "
                          "toolkit's folder, which holds compiler/ and include/, or leave SLIPSTREAM_CANN empty.")
    endif()
  endforeach()
  cmake_path(GET SLIPSTREAM_CANN_HEADERS PARENT_PATH above)
  get_property(sources GLOBAL PROPERTY SLIPSTREAM_NPU_SOURCES)
  file(GLOB shared CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/npu/kernels/*.h ${CMAKE_SOURCE_DIR}/engine/nn/step_arithmetic.h)
  set(objects "")
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE inside)
    string(MAKE_C_IDENTIFIER "${inside}" name)
    set(object ${CMAKE_BINARY_DIR}/npu_kernels/${name}.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} ${shared} VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/npu_kernels
                       COMMAND ${SLIPSTREAM_CANN_COMPILER} ${SLIPSTREAM_CANN_FLAGS} -I${SLIPSTREAM_CANN_HEADERS} -I${SLIPSTREAM_CANN_HEADERS}/interface
                               -I${SLIPSTREAM_CANN_HEADERS}/impl -I${above} -c ${source} -o ${object})
    list(APPEND objects ${object})
  endforeach()
  set(binary ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/slipstream_npu_kernels.o)
  add_custom_command(OUTPUT ${binary} DEPENDS ${objects} VERBATIM
                     COMMAND ${SLIPSTREAM_CANN_LINKER} -m aicorelinux -Ttext=0 -static -n -o ${binary} ${objects})
  add_custom_target(slipstream_npu_binary ALL DEPENDS ${binary})
  include(GNUInstallDirs)
  install(FILES ${binary} DESTINATION ${CMAKE_INSTALL_BINDIR})
  message(STATUS "CANN: kernels by ${SLIPSTREAM_CANN_COMPILER}")
endfunction()

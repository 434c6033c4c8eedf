# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DPROGRAM=... -DFAULT=number -DTESTS=filter -DSIGN=text -P catch.cmake
# Runs tests with a planted fault. Fails unless, with one of a few seeds, they fail and say SIGN.
foreach(seed RANGE 1 5)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env SLIPSTREAM_PLANTED_FAULT=${FAULT} SLIPSTREAM_EMULATED_SEED=${seed} OMP_NUM_THREADS=1
                          ${PROGRAM} --gtest_filter=${TESTS} --gtest_fail_fast
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 100)
  string(FIND "${output}" "${SIGN}" sign)
  if(NOT result EQUAL 0 AND NOT sign EQUAL -1)
    message(STATUS "caught with seed ${seed}")
    return()
  endif()
endforeach()
message(FATAL_ERROR "No seed shows the fault by '${SIGN}'. The last one gave ${result}:\n${output}")

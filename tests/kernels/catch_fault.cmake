# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DPROGRAM=... -DTESTS=filter -DSIGN=text -DSEED=variable [-DENVIRONMENT=VARIABLE=value] -P catch_fault.cmake
# Runs tests of a program in which a fault is planted. Fails unless, with one of a few seeds, they fail and say SIGN.
foreach(seed RANGE 1 5)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ENVIRONMENT} ${SEED}=${seed} OMP_NUM_THREADS=1 ${PROGRAM} --gtest_filter=${TESTS} --gtest_fail_fast
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 100)
  string(FIND "${output}" "${SIGN}" sign)
  if(NOT result EQUAL 0 AND NOT sign EQUAL -1)
    message(STATUS "caught with seed ${seed}")
    return()
  endif()
endforeach()
message(FATAL_ERROR "No seed shows the fault by '${SIGN}'. The last one gave ${result}:\n${output}")

# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DPROGRAM=... -DFAULT=number -DTESTS=filter -DSIGN=text -DSEED=variable -P catch_fault.cmake
# Runs tests of a program with one of the faults that are planted in it. Fails unless, with one of a few seeds, they fail and
# say SIGN, and pass without the fault with the same seed, or what was caught is not the fault; with the first seed that is
# tested elsewhere, once for all faults (slipstream_fault_tests).
foreach(seed RANGE 1 5)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env SLIPSTREAM_PLANTED_FAULT=${FAULT} ${SEED}=${seed} OMP_NUM_THREADS=1 ${PROGRAM} --gtest_filter=${TESTS} --gtest_fail_fast
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 100)
  string(FIND "${output}" "${SIGN}" sign)
  if(NOT result EQUAL 0 AND NOT sign EQUAL -1)
    message(STATUS "caught with seed ${seed}")
    if(seed EQUAL 1)
      return()
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E env ${SEED}=${seed} OMP_NUM_THREADS=1 ${PROGRAM} --gtest_filter=${TESTS}
                    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 100)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "The tests fail without the fault too:\n${output}")
    endif()
    return()
  endif()
endforeach()
message(FATAL_ERROR "No seed shows the fault by '${SIGN}'. The last one gave ${result}:\n${output}")

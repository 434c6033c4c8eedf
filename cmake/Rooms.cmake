# One room (folder under engine/) is one static library: slipstream_room(plan DEPENDS base LIBRARIES nlohmann_json::nlohmann_json)
# Sources are every .cpp in the folder and its sub-folders, less EXCLUDE (regular expressions), plus SOURCES. PRECOMPILED are
# headers of libraries that most of them include; g++ 12 warns wrongly of bounds in templates that were precompiled.
function(slipstream_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES;EXCLUDE;SOURCES;PRECOMPILED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(pattern ${ROOM_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX ${pattern})
  endforeach()
  if(NOT sources AND NOT ROOM_SOURCES)
    add_library(slipstream_${name} INTERFACE)
    return()
  endif()
  add_library(slipstream_${name} STATIC ${sources} ${ROOM_SOURCES})
  target_link_libraries(slipstream_${name} PUBLIC slipstream_options ${ROOM_LIBRARIES})
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(slipstream_${name} PUBLIC slipstream_${room})
  endforeach()
  if(ROOM_PRECOMPILED)
    target_precompile_headers(slipstream_${name} PRIVATE ${ROOM_PRECOMPILED})
    target_compile_options(slipstream_${name} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# The headers that all tests include, read once for all test programs: for those that are optimized, and for the others.
# g++ takes them only where it compiles with the same flags, so they are of programs, and all optimized tests use OpenMP.
function(slipstream_test_headers)
  foreach(name slipstream_test_headers slipstream_test_headers_optimized)
    add_executable(${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tests/test_headers.cpp)
    target_link_libraries(${name} PRIVATE slipstream_test_support GTest::gtest GTest::gmock)
    target_precompile_headers(${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)
  endforeach()
  target_compile_options(slipstream_test_headers PRIVATE $<$<CONFIG:Release>:-O0>)
  target_link_libraries(slipstream_test_headers_optimized PRIVATE OpenMP::OpenMP_CXX)
endfunction()

# One program per room of tests: every .cpp beside the CMakeLists.txt that calls this, run by ctest one test case at a time.
# They are compiled for a short build, half of which they are: with the headers that all of them include read once
# (slipstream_test_headers), and not optimized unless they compute much or measure time (OPTIMIZED): of what a room's
# headers define, too, the linker keeps the tests' copy.
function(slipstream_tests name)
  cmake_parse_arguments(TESTS "OPTIMIZED" "TIMEOUT;PROCESSORS" "DEPENDS;LIBRARIES;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  if(NOT TESTS_TIMEOUT)
    set(TESTS_TIMEOUT 120)
  endif()
  if(NOT TESTS_PROCESSORS)
    set(TESTS_PROCESSORS 1)
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE slipstream_test_support ${TESTS_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
  foreach(room ${TESTS_DEPENDS})
    target_link_libraries(test_${name} PRIVATE slipstream_${room})
  endforeach()
  if(TESTS_OPTIMIZED)
    target_link_libraries(test_${name} PRIVATE OpenMP::OpenMP_CXX)
    target_precompile_headers(test_${name} REUSE_FROM slipstream_test_headers_optimized)
  else()
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O0>)
    target_precompile_headers(test_${name} REUSE_FROM slipstream_test_headers)
  endif()
  # OpenMP's teams spin: on a busy machine two such tests at once wait for each other for minutes. LABELS stand last
  # because they may be empty.
  gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}."
                       PROPERTIES TIMEOUT ${TESTS_TIMEOUT} PROCESSORS ${TESTS_PROCESSORS} ENVIRONMENT "OMP_NUM_THREADS=1" LABELS "${TESTS_LABELS}"
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

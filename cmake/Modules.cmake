# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles the files of a target together, up to SLIPSTREAM_TOGETHER_FILES at a time: what they include is read and
# instantiated once for all of them, which takes a third of the time. Names need not differ for it: a file whose own names
# another file of its group uses too is put in another group by compiled_apart.txt, and a compiler that finds one says so.
# Which files share a group changes with each new file, and with CUDA: -DSLIPSTREAM_TOGETHER_FILES=1000, which compiles
# whole libraries at a time, finds names that would clash in any of these.
# Files that match the regular expression EXCLUDE are compiled one by one.
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/compiled_apart.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/compiled_apart.txt SLIPSTREAM_COMPILED_APART REGEX "^[^#]")
foreach(line ${SLIPSTREAM_COMPILED_APART})
  string(REGEX REPLACE "^[0-9]+ " "" file "${line}")
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
    message(FATAL_ERROR "cmake/compiled_apart.txt: '${line}' names no file of this project: write GROUP FILE with the file's path, "
                        "or remove the line.")
  endif()
endforeach()
function(slipstream_together target)
  if(NOT SLIPSTREAM_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  cmake_parse_arguments(TOGETHER "" "EXCLUDE" "" ${ARGN})
  if(TOGETHER_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${TOGETHER_EXCLUDE})
  endif()
  set(together "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE whole)
    cmake_path(RELATIVE_PATH whole BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE inside)
    set(apart ${SLIPSTREAM_COMPILED_APART})
    list(FILTER apart INCLUDE REGEX "^[0-9]+ ${inside}$")
    if(apart)
      string(REGEX MATCH "^[0-9]+" group "${apart}")
      if(NOT group EQUAL 0)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${target}_apart_${group}")
      endif()
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  list(SORT together)
  list(LENGTH together count)
  math(EXPR groups "(${count} + ${SLIPSTREAM_TOGETHER_FILES} - 1) / ${SLIPSTREAM_TOGETHER_FILES}")
  set(position 0)
  foreach(source ${together})
    math(EXPR group "${position} * ${groups} / ${count}")
    math(EXPR position "${position} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${target}_${group}")
  endforeach()
endfunction()

# Headers of libraries that most files include: read once for all modules that are compiled alike, since g++ takes them only
# where it compiles with the same flags. g++ 12 warns wrongly of bounds in templates that were precompiled.
set(SLIPSTREAM_COMMON_HEADERS <algorithm> <array> <chrono> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
    <string> <string_view> <vector> <fmt/format.h> "${CMAKE_CURRENT_LIST_DIR}/json_instances.h" <tl/expected.hpp>)
set(SLIPSTREAM_PRECOMPILED_WARNINGS "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow>")
# For what computes little, and for tests: g++ takes a fifth to a quarter less time than with -O1, and no more than with -O0.
set(SLIPSTREAM_LIGHTLY_OPTIMIZED $<$<CONFIG:Release>:-Og>)
function(slipstream_common_headers)
  # What json_instances.h promises; slipstream_compiled_with and the tests link it.
  add_library(slipstream_json STATIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/json_instances.cpp)
  target_link_libraries(slipstream_json PUBLIC nlohmann_json::nlohmann_json PRIVATE slipstream_options)
  target_compile_options(slipstream_json PRIVATE ${SLIPSTREAM_LIGHTLY_OPTIMIZED})
  foreach(kind og o2 openmp)
    add_library(slipstream_headers_${kind} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/common_headers.cpp)
    target_link_libraries(slipstream_headers_${kind} PRIVATE slipstream_options tl::expected fmt::fmt nlohmann_json::nlohmann_json)
    target_precompile_headers(slipstream_headers_${kind} PRIVATE ${SLIPSTREAM_COMMON_HEADERS})
    target_compile_options(slipstream_headers_${kind} PRIVATE "${SLIPSTREAM_PRECOMPILED_WARNINGS}")
  endforeach()
  target_compile_options(slipstream_headers_og PRIVATE ${SLIPSTREAM_LIGHTLY_OPTIMIZED})
  target_link_libraries(slipstream_headers_openmp PRIVATE OpenMP::OpenMP_CXX)
endfunction()

# One module (folder under engine/) is one static library: slipstream_module(plan DEPENDS base LIBRARIES nlohmann_json::nlohmann_json)
# Sources are every .cpp in the folder and its sub-folders, less EXCLUDE (regular expressions), plus SOURCES. HEADERS names
# the precompiled ones: og for a module that computes little (SLIPSTREAM_LIGHTLY_OPTIMIZED); o2, if nothing is said;
# openmp; own for one with flags of its own.
function(slipstream_module name)
  cmake_parse_arguments(MODULE "" "HEADERS" "DEPENDS;LIBRARIES;EXCLUDE;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(pattern ${MODULE_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX ${pattern})
  endforeach()
  if(NOT sources AND NOT MODULE_SOURCES)
    add_library(slipstream_${name} INTERFACE)
    return()
  endif()
  add_library(slipstream_${name} STATIC ${sources} ${MODULE_SOURCES})
  slipstream_together(slipstream_${name})
  target_link_libraries(slipstream_${name} PUBLIC slipstream_options ${MODULE_LIBRARIES})
  foreach(module ${MODULE_DEPENDS})
    target_link_libraries(slipstream_${name} PUBLIC slipstream_${module})
  endforeach()
  slipstream_compiled_with(slipstream_${name} "${MODULE_HEADERS}")
endfunction()

# Gives a target the precompiled headers of slipstream_common_headers, and the flags that go with them.
function(slipstream_compiled_with target kind)
  target_compile_options(${target} PRIVATE "${SLIPSTREAM_PRECOMPILED_WARNINGS}")
  target_link_libraries(${target} PUBLIC slipstream_json)
  if(kind STREQUAL own)
    target_precompile_headers(${target} PRIVATE ${SLIPSTREAM_COMMON_HEADERS})
    return()
  endif()
  if(kind STREQUAL "")
    set(kind o2)
  elseif(kind STREQUAL og)
    target_compile_options(${target} PRIVATE ${SLIPSTREAM_LIGHTLY_OPTIMIZED})
  endif()
  target_precompile_headers(${target} REUSE_FROM slipstream_headers_${kind})
endfunction()

# The headers that all tests include, read once for all test programs.
function(slipstream_test_headers)
  add_executable(slipstream_test_headers ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tests/test_headers.cpp)
  target_link_libraries(slipstream_test_headers PRIVATE slipstream_options slipstream_json GTest::gtest GTest::gmock)
  target_precompile_headers(slipstream_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/json_instances.h")
  slipstream_test_flags(slipstream_test_headers)
endfunction()

# g++ takes precompiled headers only where it compiles with the same flags: all targets that take the tests' headers are
# compiled as programs that use OpenMP.
function(slipstream_test_flags target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  target_compile_options(${target} PRIVATE -fPIE "${SLIPSTREAM_LIGHTLY_OPTIMIZED}" "${SLIPSTREAM_PRECOMPILED_WARNINGS}")
endfunction()
function(slipstream_compiled_as_test target)
  slipstream_test_flags(${target})
  target_precompile_headers(${target} REUSE_FROM slipstream_test_headers)
endfunction()

# Labels the tests of a program that take longer than some five seconds `slow`, beside LABEL: `ctest -N -L slow` lists them.
# PATTERN is a regular expression of their names. ctest reads the file that this writes behind the program's list, and begins
# with these, so that none is left over when all others have ended.
function(slipstream_slow_tests program pattern label)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${program}_slow.cmake)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT [=[
foreach(test IN LISTS @program@_TESTS)
  if(test MATCHES "@pattern@")
    set_tests_properties("${test}" PROPERTIES LABELS "@label@;slow" COST 100)
  endif()
endforeach()
]=])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# Makes one test of ctest of each suite of a program that is named: where tests share what is made for them once
# (SetUpTestSuite), which by themselves would each make it again, and where they are so many that starting a process for each
# takes seconds. Gives in `filter` the gtest filter that leaves them out. They are labelled `slow` as single tests are
# (slipstream_slow_tests). A suite counts as skipped where all of its tests do: the pattern matches only where gtest's summary
# lists nothing else.
function(slipstream_whole_suites filter program prefix)
  cmake_parse_arguments(WHOLE "" "TIMEOUT;PROCESSORS;SLOW" "SUITES;LABELS" ${ARGN})
  foreach(suite ${WHOLE_SUITES})
    add_test(NAME "${prefix}.${suite}" COMMAND ${program} --gtest_filter=${suite}.* WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties("${prefix}.${suite}" PROPERTIES TIMEOUT ${WHOLE_TIMEOUT} PROCESSORS ${WHOLE_PROCESSORS} COST 100 LABELS "${WHOLE_LABELS}"
                         ENVIRONMENT "OMP_NUM_THREADS=1" FAIL_REGULAR_EXPRESSION "Running 0 tests"
                         SKIP_REGULAR_EXPRESSION "  PASSED  . 0 tests[.]\n(.  SKIPPED [^\n]*\n)+$")
    if(WHOLE_SLOW AND suite MATCHES "${WHOLE_SLOW}")
      set_property(TEST "${prefix}.${suite}" APPEND PROPERTY LABELS slow)
    endif()
  endforeach()
  list(TRANSFORM WHOLE_SUITES APPEND ".*" OUTPUT_VARIABLE patterns)
  list(JOIN patterns ":" patterns)
  set(${filter} "-${patterns}" PARENT_SCOPE)
endfunction()

# What several programs of tests share, compiled once, with the headers and flags of tests:
# slipstream_test_library(train_cases a.cpp b.cpp DEPENDS train)
function(slipstream_test_library name)
  cmake_parse_arguments(LIBRARY "" "" "DEPENDS" ${ARGN})
  add_library(slipstream_${name} STATIC ${LIBRARY_UNPARSED_ARGUMENTS})
  slipstream_together(slipstream_${name})
  target_link_libraries(slipstream_${name} PUBLIC slipstream_test_support GTest::gtest GTest::gmock)
  foreach(module ${LIBRARY_DEPENDS})
    target_link_libraries(slipstream_${name} PUBLIC slipstream_${module})
  endforeach()
  slipstream_compiled_as_test(slipstream_${name})
endfunction()

# One program per folder of tests: every .cpp beside the CMakeLists.txt that calls this, run by ctest one test case at a time,
# but for SUITES (slipstream_whole_suites). They are compiled for a short build, half of which they are: lightly optimized,
# with the headers that all of them include read once (slipstream_test_headers). The linker keeps the tests' copy of what a
# module's headers define, so times measured in tests are not the product's.
function(slipstream_tests name)
  cmake_parse_arguments(TESTS "" "TIMEOUT;PROCESSORS;SLOW" "DEPENDS;LIBRARIES;LABELS;SUITES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  if(NOT TESTS_TIMEOUT)
    set(TESTS_TIMEOUT 600)
  endif()
  if(SLIPSTREAM_SANITIZE)
    math(EXPR TESTS_TIMEOUT "3 * ${TESTS_TIMEOUT}")
  endif()
  if(NOT TESTS_PROCESSORS)
    set(TESTS_PROCESSORS 1)
  endif()
  add_executable(test_${name} ${sources})
  slipstream_together(test_${name})
  target_link_libraries(test_${name} PRIVATE slipstream_test_support ${TESTS_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
  foreach(module ${TESTS_DEPENDS})
    target_link_libraries(test_${name} PRIVATE slipstream_${module})
  endforeach()
  slipstream_compiled_as_test(test_${name})
  # OpenMP's teams spin: on a busy machine two such tests at once wait for each other for minutes. LABELS stand last
  # because they may be empty. A program whose list takes longer than DISCOVERY_TIMEOUT ends ctest before any test: 5
  # seconds, if nothing is said, are too few for a sanitizer's program of 150 MB on a busy machine.
  set(filter "*")
  if(TESTS_SUITES)
    slipstream_whole_suites(filter test_${name} ${name} SUITES ${TESTS_SUITES} TIMEOUT ${TESTS_TIMEOUT} PROCESSORS ${TESTS_PROCESSORS} SLOW "${TESTS_SLOW}" LABELS ${TESTS_LABELS})
  endif()
  gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES DISCOVERY_TIMEOUT 600 TEST_PREFIX "${name}." TEST_FILTER "${filter}"
                       PROPERTIES TIMEOUT ${TESTS_TIMEOUT} PROCESSORS ${TESTS_PROCESSORS} ENVIRONMENT "OMP_NUM_THREADS=1" LABELS "${TESTS_LABELS}"
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  if(TESTS_SLOW)
    slipstream_slow_tests(test_${name} "${TESTS_SLOW}" "${TESTS_LABELS}")
  endif()
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DFOLDER=... -DPROGRAMS=a;b -DSCRIPTS=c;d -DSTRIP=strip -P GpuBundle.cmake
#
# Puts programs, with every library that they are linked with and a bare machine may lack, into FOLDER/programs.tar.gz, and
# the scripts beside it. Of libc's own libraries a machine has its own. Fails where that is too much to be carried.
set(most_bytes 62914560) # 60 MiB, unpacked programs not counted

set(stage ${FOLDER}/stage)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${stage}/lib)
file(GET_RUNTIME_DEPENDENCIES
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR lacking
  EXECUTABLES ${PROGRAMS}
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv)\\.so")
if(lacking)
  message(FATAL_ERROR "the programs of the bundle need what is not here: ${lacking}")
endif()
foreach(program ${PROGRAMS})
  get_filename_component(name ${program} NAME)
  execute_process(COMMAND ${STRIP} -o ${stage}/${name} ${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(library ${libraries})
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} real)
  file(COPY_FILE ${real} ${stage}/lib/${name})
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${FOLDER}/programs.tar.gz . WORKING_DIRECTORY ${stage} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${stage})
file(COPY ${SCRIPTS} DESTINATION ${FOLDER})

set(bytes 0)
file(GLOB files ${FOLDER}/*)
foreach(file ${files})
  file(SIZE ${file} size)
  math(EXPR bytes "${bytes} + ${size}")
endforeach()
math(EXPR megabytes "${bytes} / 1048576")
if(bytes GREATER most_bytes)
  message(FATAL_ERROR "${FOLDER} has ${megabytes} MiB, and at most 60 can be carried")
endif()
message(STATUS "${FOLDER}: ${megabytes} MiB; there: python3 gpu_bundle.py --minutes 10")

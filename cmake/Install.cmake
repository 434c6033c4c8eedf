# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where: programs that find each other side by side, what a desktop wants to know of them,
# examples, the schema that the examples name, and documents.
include(GNUInstallDirs)
set(shared ${CMAKE_INSTALL_DATADIR}/slipstream)

# `./run` builds only what it needs, so installing builds the programs that are not there yet.
set(programs slipstream slipstream-worker slipstream-desktop)
set(targets ${programs} slipstream_library)
list(TRANSFORM programs REPLACE "(.+)" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/\\1" OUTPUT_VARIABLE program_files)
list(APPEND program_files ${CMAKE_BINARY_DIR}/lib/libslipstream.so)
install(CODE "
  foreach(program ${program_files})
    if(NOT EXISTS \${program})
      message(STATUS \"Building the programs that are not there yet\")
      execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target ${targets} COMMAND_ERROR_IS_FATAL ANY)
      break()
    endif()
  endforeach()")
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS slipstream_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

install(FILES resources/desktop/org.slipstream.Slipstream.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES resources/desktop/org.slipstream.Slipstream.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES resources/icon.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME org.slipstream.Slipstream.svg)
# The program's own description of its commands, for shells (app/cli/CMakeLists.txt).
install(DIRECTORY ${CMAKE_BINARY_DIR}/completion/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${CMAKE_BINARY_DIR}/completion/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${CMAKE_BINARY_DIR}/completion/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY experiments/ DESTINATION ${shared}/experiments PATTERN README.md EXCLUDE)
# Where "$schema" of the examples points to.
install(FILES resources/experiment.schema.json resources/study.schema.json DESTINATION ${shared}/resources)
# Where Debian's python3 looks for packages of the system, of every version of Python, if the prefix is /usr.
# The package itself lies in a folder of its own, which programs get in PYTHONPATH: dist-packages there would come before
# the packages of a virtual environment.
set(SLIPSTREAM_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where python3 finds the package for Python, below the prefix")
install(DIRECTORY app/python/slipstream DESTINATION ${shared}/python FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
file(RELATIVE_PATH package ${CMAKE_INSTALL_PREFIX}/${SLIPSTREAM_PYTHON_DIR} ${CMAKE_INSTALL_PREFIX}/${shared}/python/slipstream)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python_link)
file(CREATE_LINK ${package} ${CMAKE_BINARY_DIR}/python_link/slipstream SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/python_link/slipstream DESTINATION ${SLIPSTREAM_PYTHON_DIR})

# Manual pages and the log of changes are compressed, as Debian's policy asks (chapter 12).
find_program(SLIPSTREAM_GZIP gzip REQUIRED)
function(slipstream_install_compressed source name destination)
  set(compressed ${CMAKE_BINARY_DIR}/compressed/${name}.gz)
  add_custom_command(OUTPUT ${compressed} DEPENDS ${source} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/compressed
    COMMAND sh -c "\"$1\" -9nc \"$2\" >\"$3\"" sh ${SLIPSTREAM_GZIP} ${CMAKE_SOURCE_DIR}/${source} ${compressed})
  set_property(GLOBAL APPEND PROPERTY SLIPSTREAM_COMPRESSED ${compressed})
  install(FILES ${compressed} DESTINATION ${destination})
endfunction()
slipstream_install_compressed(resources/man/slipstream.1 slipstream.1 ${CMAKE_INSTALL_MANDIR}/man1)
slipstream_install_compressed(resources/man/slipstream-desktop.1 slipstream-desktop.1 ${CMAKE_INSTALL_MANDIR}/man1)
slipstream_install_compressed(resources/man/slipstream-worker.1 slipstream-worker.1 ${CMAKE_INSTALL_MANDIR}/man1)
slipstream_install_compressed(CHANGELOG.md changelog ${CMAKE_INSTALL_DOCDIR})
slipstream_install_compressed(resources/packaging/changelog changelog.Debian ${CMAKE_INSTALL_DOCDIR})
get_property(compressed GLOBAL PROPERTY SLIPSTREAM_COMPRESSED)
add_custom_target(slipstream_compressed ALL DEPENDS ${compressed})
add_dependencies(slipstream slipstream_compressed)

# The documents keep their folders, so that the links between them hold.
file(GLOB_RECURSE documents CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.md app/*.md experiments/*.md ui/*.md tests/*.md resources/docs/*.md)
foreach(document README.md CITATION.cff ${documents})
  cmake_path(GET document PARENT_PATH folder)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(FILES resources/pictures/window-light.png resources/pictures/window-dark.png DESTINATION ${CMAKE_INSTALL_DOCDIR}/resources/pictures)
install(FILES resources/packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian has the text of the licence in /usr/share/common-licenses, which `copyright` names; its package leaves this one out.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

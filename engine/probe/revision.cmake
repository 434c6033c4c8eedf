# SPDX-License-Identifier: GPL-3.0-or-later
cmake_minimum_required(VERSION 3.25)
# Writes OUTPUT with the program's version and the revision of its source: a commit, "-changed" where files differ
# from it, empty where the source is not a git checkout.
set(revision "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=-changed
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once

inline constexpr const char* generatedVersion = \"${VERSION}\";
inline constexpr const char* generatedRevision = \"${revision}\";
")

# SPDX-License-Identifier: GPL-3.0-or-later
# `cpack --config build/release/CPackConfig.cmake` makes slipstream_VERSION-1_ARCHITECTURE.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME slipstream)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Slipstream founders <maintainers@slipstream.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};slipstream;Unspecified;/")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compare acceleration algorithms for distributed training")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Slipstream trains the same network with and without an acceleration
algorithm (Adasum, optimizer sharding, gradient accumulation and freezing,
dimension-reduced training and others) on many ranks under Open MPI, keeps
every loss, time and weight in one SQLite run store, and reports what
differs and by how much. It has a command line and a desktop window.")
# Libraries are found by dpkg-shlibdeps; mpirun is a program, and Chinese and Latin text wants fonts.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, fonts-liberation, fonts-wqy-microhei, python3, qt6-translations-l10n")
include(CPack)

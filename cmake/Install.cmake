# What `cmake --install` puts where: programs that find each other side by side, and what a desktop wants to know of them.
include(GNUInstallDirs)
install(TARGETS slipstream slipstream-worker slipstream-desktop RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES resources/man/slipstream.1 resources/man/slipstream-desktop.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES resources/desktop/org.slipstream.Slipstream.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES resources/desktop/org.slipstream.Slipstream.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES resources/icon.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME org.slipstream.Slipstream.svg)
install(DIRECTORY experiments/ DESTINATION ${CMAKE_INSTALL_DATADIR}/slipstream/experiments)

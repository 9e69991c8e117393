# Headers, libraries, the `reeve` command, and the two ways to find them: a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/reeve/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/reeve
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/reeve/scenes
        FILES_MATCHING PATTERN "*.json")
if(TARGET reeve)
  install(TARGETS reeve RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET reeve_hdf5)
    install(TARGETS reeve_hdf5 LIBRARY DESTINATION lib/reeve)
  endif()
  if(TARGET reeve_mpi)
    install(TARGETS reeve_mpi LIBRARY DESTINATION lib/reeve)
  endif()
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/reeve)
set_target_properties(reeve_flags PROPERTIES EXPORT_NAME flags)
set_target_properties(reeve_all PROPERTIES EXPORT_NAME reeve)
install(TARGETS reeve_all reeve_flags ${REEVE_LAYERS} EXPORT reeve ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT reeve NAMESPACE reeve:: FILE reeve-targets.cmake DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/reeve-config.cmake.in ${PROJECT_BINARY_DIR}/reeve-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/reeve-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/reeve-config.cmake ${PROJECT_BINARY_DIR}/reeve-config-version.cmake
        DESTINATION ${package})

# A static library must stand before what it uses: the list of layers in reverse.
set(REEVE_PC_LIBS "")
foreach(layer ${REEVE_LAYERS})
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    string(PREPEND REEVE_PC_LIBS " -l${layer}")
  endif()
endforeach()
file(RELATIVE_PATH REEVE_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/reeve.pc.in ${PROJECT_BINARY_DIR}/reeve.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reeve.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

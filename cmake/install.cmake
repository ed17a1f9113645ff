# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the binary with its data, and the libraries as a CMake package.
install(TARGETS idlesim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(idlesim_data_folder ${CMAKE_INSTALL_DATAROOTDIR}/idlesim)
install(DIRECTORY configs experiments DESTINATION ${idlesim_data_folder} PATTERN completion EXCLUDE)

install(FILES docs/idlesim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(
  FILES configs/completion/idlesim.bash
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
  RENAME idlesim)
install(FILES configs/completion/_idlesim DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)

set(idlesim_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/idlesim)
set(idlesim_exported
    idlesim_engine
    idlesim_stats
    idlesim_config
    idlesim_registry
    idlesim_models
    idlesim_plugins)
install(
  TARGETS ${idlesim_exported}
  EXPORT idlesim
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/idlesim
  OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/idlesim)
install(
  DIRECTORY sim/engine sim/stats sim/config sim/registry
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/idlesim/sim
  FILES_MATCHING PATTERN "*.hpp")
install(
  DIRECTORY models
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/idlesim
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT idlesim NAMESPACE idlesim:: FILE idlesimTargets.cmake DESTINATION ${idlesim_package_folder})

include(CMakePackageConfigHelpers)
configure_package_config_file(
  cmake/idlesimConfig.cmake.in "${PROJECT_BINARY_DIR}/generated/idlesimConfig.cmake"
  INSTALL_DESTINATION ${idlesim_package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/idlesimConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/idlesimConfig.cmake"
              "${PROJECT_BINARY_DIR}/generated/idlesimConfigVersion.cmake"
        DESTINATION ${idlesim_package_folder})

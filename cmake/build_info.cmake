# SPDX-License-Identifier: Apache-2.0
# A generated header with the version, the commit and where the data files are.
#
# The commit is looked up by every build, since a commit changes no file that CMake watches; the
# header is rewritten only when its text changes, so an ordinary build compiles nothing for it.
set(idlesim_generated_folder "${PROJECT_BINARY_DIR}/generated")
set(idlesim_build_info_header "${idlesim_generated_folder}/build_info.hpp")

find_package(Git QUIET)
set(write_build_info
    "${CMAKE_COMMAND}"
    "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in"
    "-DHEADER=${idlesim_build_info_header}"
    "-DVERSION=${PROJECT_VERSION}"
    "-DSOURCE_FOLDER=${PROJECT_SOURCE_DIR}"
    "-DGIT=$<$<BOOL:${GIT_FOUND}>:${GIT_EXECUTABLE}>"
    -P
    "${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake")
add_custom_target(
  idlesim_write_build_info
  COMMAND ${write_build_info}
  BYPRODUCTS "${idlesim_build_info_header}"
  COMMENT "Looking up the commit"
  VERBATIM)

add_library(idlesim_build_info INTERFACE)
target_include_directories(idlesim_build_info INTERFACE "${idlesim_generated_folder}")
add_dependencies(idlesim_build_info idlesim_write_build_info)

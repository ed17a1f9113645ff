# SPDX-License-Identifier: Apache-2.0
# Everything comes from distribution packages: nothing is fetched while configuring.

# All missing packages are named in one message, not one per attempt.
set(idlesim_missing "")

macro(idlesim_find package debian_package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    string(APPEND idlesim_missing "\n  ${package} (Debian, Ubuntu: ${debian_package})")
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
idlesim_find(fmt libfmt-dev 9 CONFIG)
idlesim_find(yaml-cpp libyaml-cpp-dev 0.7 CONFIG)
idlesim_find(Eigen3 libeigen3-dev 3.4 CONFIG)
idlesim_find(Boost "libboost-dev, libboost-program-options-dev" 1.74 CONFIG COMPONENTS program_options)
idlesim_find(nlohmann_json nlohmann-json3-dev 3.11 CONFIG)
if(BUILD_TESTING)
  # Any version: Debian 12 has 2.13, later releases have 3.
  idlesim_find(Catch2 catch2 CONFIG)
endif()

if(idlesim_missing)
  message(FATAL_ERROR "These packages are missing:${idlesim_missing}\n"
                      "`./bootstrap deps` installs them (the list is packages.txt).")
endif()

if(BUILD_TESTING AND NOT TARGET Catch2::Catch2WithMain)
  message(FATAL_ERROR "Catch2 ${Catch2_VERSION} comes without its prebuilt main "
                      "(Catch2::Catch2WithMain); Debian's and Ubuntu's package catch2 has it. "
                      "Configure with -DBUILD_TESTING=OFF to build without the tests.")
endif()

# The namespaced name came with yaml-cpp 0.8.
if(TARGET yaml-cpp::yaml-cpp)
  set(idlesim_yaml_cpp yaml-cpp::yaml-cpp)
else()
  set(idlesim_yaml_cpp yaml-cpp)
endif()

# ccache where it is installed and works: without a home to write to it fails every compilation.
find_program(IDLESIM_CCACHE ccache)
mark_as_advanced(IDLESIM_CCACHE)
if(IDLESIM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(probe "${PROJECT_BINARY_DIR}/CMakeFiles/ccache_probe.cpp")
  file(WRITE "${probe}" "")
  execute_process(
    COMMAND "${IDLESIM_CCACHE}" "${CMAKE_CXX_COMPILER}" -c "${probe}" -o "${probe}.o"
    RESULT_VARIABLE ccache_result
    OUTPUT_QUIET ERROR_QUIET)
  if(ccache_result EQUAL 0)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${IDLESIM_CCACHE}")
  endif()
endif()

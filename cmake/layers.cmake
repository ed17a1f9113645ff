# SPDX-License-Identifier: Apache-2.0
# One library per layer, one file per unit.
#
# Sources are globbed with CONFIGURE_DEPENDS: a plug-in is one new .cpp and nothing else, and inside
# a layer a file belongs to the layer by standing in its folder. The build looks again every time, so
# a new file is compiled and a deleted one is gone without anybody running CMake.

# idlesim_sources(<variable> FOLDER <folder> [EXCEPT <folder or file>...])
function(idlesim_sources variable)
  cmake_parse_arguments(arg "" "FOLDER" "EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_FOLDER}/*.cpp")
  foreach(exception IN LISTS arg_EXCEPT)
    string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" prefix "${PROJECT_SOURCE_DIR}/${exception}")
    list(FILTER sources EXCLUDE REGEX "^${prefix}(/|$)")
  endforeach()
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# idlesim_add_layer(<name> FOLDER <folder> [EXCEPT ...] [LINKS <public>...] [PRIVATE <private>...])
#
# Makes the library idlesim_<name>, alias idlesim::<name>. A layer without any .cpp is header-only.
function(idlesim_add_layer name)
  cmake_parse_arguments(arg "" "FOLDER" "EXCEPT;LINKS;PRIVATE" ${ARGN})
  idlesim_sources(sources FOLDER ${arg_FOLDER} EXCEPT ${arg_EXCEPT})
  set(target idlesim_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    # BUILD_INTERFACE: our warnings are no business of those who link the installed library.
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:idlesim_build_flags> ${arg_PRIVATE})
  else()
    message(STATUS "${arg_FOLDER} holds no .cpp: idlesim::${name} is header-only")
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(idlesim::${name} ALIAS ${target})
  target_link_libraries(${target} ${scope} ${arg_LINKS})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(
    ${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/idlesim>)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endfunction()

# idlesim_add_plugins(<folder>...)
#
# An OBJECT library that only executables link. A static library would lose every plug-in without a
# word, since nothing refers to a registration object by name.
function(idlesim_add_plugins)
  add_library(idlesim_plugins OBJECT)
  add_library(idlesim::plugins ALIAS idlesim_plugins)
  foreach(folder IN LISTS ARGN)
    idlesim_sources(sources FOLDER ${folder})
    if(NOT sources AND IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
      message(WARNING "${folder} holds no plug-in")
    endif()
    target_sources(idlesim_plugins PRIVATE ${sources})
  endforeach()
  target_link_libraries(
    idlesim_plugins
    PRIVATE $<BUILD_INTERFACE:idlesim_build_flags>
    PUBLIC idlesim_models)
  set_target_properties(idlesim_plugins PROPERTIES EXPORT_NAME plugins)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# What every target of the project is compiled with, as one INTERFACE target: nothing is set for a
# whole directory, and nothing of it reaches those who use the installed libraries.
add_library(idlesim_build_flags INTERFACE)

target_compile_features(idlesim_build_flags INTERFACE cxx_std_20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

target_compile_options(
  idlesim_build_flags
  INTERFACE
    # A fused multiply-add rounds once where the source says twice: results would depend on the
    # compiler and the machine.
    -ffp-contract=off
    # Messages of broken invariants name files relative to the project, wherever it was built.
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# Not in optimised g++ builds: there GCC 12 warns about paths through the standard library and fmt
# that do not exist (its bug 105651 and others).
if(IDLESIM_WARNINGS)
  target_compile_options(
    idlesim_build_flags
    INTERFACE
      -Wall
      -Wextra
      -Wpedantic
      -Wshadow
      -Wconversion
      -Wsign-conversion
      -Wold-style-cast
      -Wnon-virtual-dtor
      -Woverloaded-virtual
      -Wnull-dereference
      -Wdouble-promotion
      -Wformat=2
      -Wimplicit-fallthrough
      -Wmissing-declarations
      $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond
      -Wduplicated-branches
      -Wlogical-op
      -Wuseless-cast>
      $<$<BOOL:${IDLESIM_WERROR}>:-Werror>)
else()
  target_compile_options(idlesim_build_flags INTERFACE -w)
endif()

if(IDLESIM_ASSERTIONS)
  target_compile_definitions(idlesim_build_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

if(IDLESIM_SANITIZERS)
  set(sanitize "-fsanitize=${IDLESIM_SANITIZERS}")
  target_compile_options(idlesim_build_flags INTERFACE ${sanitize} -fno-sanitize-recover=all
                                                       -fno-omit-frame-pointer)
  # The fuzzer's own main is linked by the fuzz targets alone.
  string(REPLACE "fuzzer-no-link," "" sanitize_link "${sanitize}")
  target_link_options(idlesim_build_flags INTERFACE ${sanitize_link})
endif()

# Off in the release preset: measured, the hot paths are inline in headers and it gains nothing, while
# every executable takes half a minute to link.
if(IDLESIM_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

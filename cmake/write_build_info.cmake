# SPDX-License-Identifier: Apache-2.0
# Script: writes HEADER from TEMPLATE if that changes it. Arguments as in build_info.cmake.
set(COMMIT "")

function(git variable)
  execute_process(
    COMMAND "${GIT}" -c "safe.directory=${SOURCE_FOLDER}" -C "${SOURCE_FOLDER}" ${ARGN}
    OUTPUT_VARIABLE output
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${variable} "${output}" PARENT_SCOPE)
  set(git_result "${result}" PARENT_SCOPE)
endfunction()

if(GIT)
  # An archive that was unpacked inside somebody else's repository has a prefix there.
  git(prefix rev-parse --show-prefix)
  if(git_result EQUAL 0 AND prefix STREQUAL "")
    git(COMMIT rev-parse --verify HEAD)
    if(NOT git_result EQUAL 0)
      set(COMMIT "")
    else()
      git(changes status --porcelain --untracked-files=no)
      if(changes)
        string(APPEND COMMIT "-modified")
      endif()
    endif()
  endif()
endif()

configure_file("${TEMPLATE}" "${HEADER}" @ONLY)

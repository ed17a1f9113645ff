# SPDX-License-Identifier: Apache-2.0
# Script: installs BUILD_FOLDER into SCRATCH_FOLDER, then configures, builds and runs the consumer.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nended with ${result}")
  endif()
endfunction()

if(SANITIZERS)
  string(APPEND FLAGS " -fsanitize=${SANITIZERS}")
endif()

file(REMOVE_RECURSE "${SCRATCH_FOLDER}")
set(prefix "${SCRATCH_FOLDER}/prefix")
set(build "${SCRATCH_FOLDER}/build")

run("${CMAKE_COMMAND}" --install "${BUILD_FOLDER}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CONSUMER_FOLDER}" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${prefix}")
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/consumer")
# The installed binary finds the data beside itself.
run("${CMAKE_COMMAND}" -E chdir "${SCRATCH_FOLDER}" "${prefix}/bin/idlesim" --version)
run("${CMAKE_COMMAND}" -E chdir "${SCRATCH_FOLDER}" "${prefix}/bin/idlesim" list)
file(REMOVE_RECURSE "${SCRATCH_FOLDER}")

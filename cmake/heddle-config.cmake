# find_package(heddle): the program heddle, the folder of <heddle/test.h>, and tests of targets.
#
#     find_package(heddle REQUIRED)
#     add_executable(queue_tests queue_tests.c)
#     heddle_add_test(queue_tests)
#
# heddle_add_test(TARGET [NAME NAME] [GTEST | CATCH2] [FILTER GLOB] [TIME TIME] [OPTIONS WORD...])
#     adds a test to ctest.  If the compiler is heddle-cc or heddle-c++, the test is `heddle test`:
#     every test of the target under every schedule, with these options.  With another compiler the
#     target itself is the test, and runs each once.
#
# heddle-toolchain.cmake, beside this file, chooses the compiler:
#
#     cmake -B build-heddle --toolchain "$(pkg-config --variable=toolchain heddle)"
#
# Variables: HEDDLE_EXECUTABLE, HEDDLE_INCLUDE_DIR, and HEDDLE_COMPILES, which is true if the
# compiler is heddle's.

get_filename_component(_heddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(HEDDLE_EXECUTABLE heddle HINTS "${_heddle_prefix}/bin")
find_path(HEDDLE_INCLUDE_DIR heddle/test.h HINTS "${_heddle_prefix}/include")
unset(_heddle_prefix)

set(HEDDLE_COMPILES FALSE)
foreach(_heddle_compiler IN ITEMS "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
  get_filename_component(_heddle_name "${_heddle_compiler}" NAME)
  if(_heddle_name STREQUAL "heddle-cc" OR _heddle_name STREQUAL "heddle-c++")
    set(HEDDLE_COMPILES TRUE)
  endif()
endforeach()
unset(_heddle_compiler)
unset(_heddle_name)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(heddle REQUIRED_VARS HEDDLE_EXECUTABLE HEDDLE_INCLUDE_DIR)

if(heddle_FOUND AND NOT TARGET heddle::heddle)
  add_executable(heddle::heddle IMPORTED)
  set_target_properties(heddle::heddle PROPERTIES IMPORTED_LOCATION "${HEDDLE_EXECUTABLE}")
endif()

function(heddle_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 it "GTEST;CATCH2" "NAME;FILTER;TIME" "OPTIONS")
  if(it_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test(${target}): what is '${it_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "heddle_add_test(${target}): there is no such target")
  endif()
  if(NOT it_NAME)
    set(it_NAME ${target})
  endif()
  target_include_directories(${target} PRIVATE "${HEDDLE_INCLUDE_DIR}")
  if(NOT HEDDLE_COMPILES)
    add_test(NAME "${it_NAME}" COMMAND ${target})
    return()
  endif()
  set(words ${it_OPTIONS} "--output=${CMAKE_CURRENT_BINARY_DIR}/${target}.heddle")
  if(it_GTEST)
    list(APPEND words --gtest)
  elseif(it_CATCH2)
    list(APPEND words --catch2)
  endif()
  if(it_FILTER)
    list(APPEND words "--filter=${it_FILTER}")
  endif()
  if(it_TIME)
    list(APPEND words "--time=${it_TIME}")
  endif()
  add_test(NAME "${it_NAME}" COMMAND heddle::heddle test ${words} $<TARGET_FILE:${target}>)
endfunction()

# Compiles with heddle: cmake --toolchain THIS.  CMAKE_C_COMPILER is heddle-cc, which is gcc, or
# what the environment variable HEDDLE_CC says, with heddle's runtime.
get_filename_component(_heddle_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
find_program(_heddle_cc heddle-cc HINTS "${_heddle_bin}" REQUIRED)
find_program(_heddle_cxx heddle-c++ HINTS "${_heddle_bin}" REQUIRED)
set(CMAKE_C_COMPILER "${_heddle_cc}")
set(CMAKE_CXX_COMPILER "${_heddle_cxx}")

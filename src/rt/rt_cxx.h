/*
 * What heddle c++ includes before every file.  The C++ library has the functions of std::string
 * in its own file, which is not instrumented, and its headers tell the compiler not to make them
 * again.  Here they are made again, with the program, so that their accesses are seen.  A
 * definition of _GLIBCXX_EXTERN_TEMPLATE on the command line has no effect; c++config.h gives it
 * a value of its own.
 *
 * Not those of streams: threads may use std::cout together, though its functions access what they
 * share.  Calls of these are steps on the stream (rt_foreign.def).
 *
 * -DHEDDLE_NO_TEMPLATES leaves all as it is.
 */
#if defined __cplusplus && !defined __ASSEMBLER__ && !defined HEDDLE_NO_TEMPLATES
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#if __has_include(<bits/ostream_insert.h>)
#include <bits/ostream_insert.h>
#endif
#if defined _GLIBCXX_EXTERN_TEMPLATE && __cplusplus >= 201103L
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <string>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
#endif
#endif
#endif

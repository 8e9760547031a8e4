/*
 * C++ names as they were meant: std::vector<int> and not std::vector<int, std::allocator<int> >,
 * std::string and not std::__cxx11::basic_string<char, …>.  Only arguments that are the defaults of
 * the standard library go.
 */
#ifndef HD_SYMBOLS_SHORTEN_H
#define HD_SYMBOLS_SHORTEN_H

#include "base/base.h"

/* Adds the C++ name that a name in a symbol table stands for, or the name itself if it stands for
 * none or the C++ library is not there to tell. */
void hd_symbols_demangle(const char *name, hd_vec_char *to);

/* Shortens the text from `from` on. */
void hd_symbols_shorten(hd_vec_char *text, size_t from);

#endif

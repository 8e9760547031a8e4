/*
 * Sources that were written for other compilers and machines, as those of SV-COMP: preprocessed
 * long ago, for 32 bits, with old inline functions and declarations that are missing.
 */
#ifndef HD_LAUNCH_OLD_H
#define HD_LAUNCH_OLD_H

#include "base/base.h"

/* Compiles a file of C to a program, in the dialect that it needs; `more` are further words for the
 * compiler.  False with one line that says why, and the compiler's messages are not printed. */
bool hd_launch_old_make(const char *source, const char *output, const char *const *more,
                        size_t count, hd_error *error);

/* Did one that was compiled come from a machine with 32 bits?  Then its types had other sizes. */
bool hd_launch_old_narrow(void);

/* For tests: a text of C that was preprocessed for 32 bits, with objects of the threads library as
 * large as they are here.  False if it was not, or, with an error, if that cannot be done. */
bool hd_launch_old_widen(const char *text, size_t length, hd_vec_char *to, hd_error *error);

#endif

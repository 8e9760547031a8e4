/*
 * Compiles one source file to a program in a temporary folder.
 */
#ifndef HD_LAUNCH_MAKE_H
#define HD_LAUNCH_MAKE_H

#include "base/base.h"

/* Is it a file of C or C++, by its name? */
bool hd_launch_is_source(const char *path);

/* Optimisation removes a read whose value is not used before it is instrumented, and with it the
 * race; so a source is compiled without.  gcc does that at every other level, -Og too. */
#define HD_LAUNCH_ALL_READS "-O0"

/* The program's path, to be freed; NULL with an error, after the compiler's messages.  The file is
 * removed when this process exits.  `sv_comp`: as in the wire; with it the entry of every function
 * is seen. */
char *hd_launch_make(const char *source, uint32_t sv_comp, hd_error *error);

/* What such a source is compiled with besides, by these conventions: words, NULL at the end. */
enum { HD_LAUNCH_MAKE_FLAGS = 12 };
void hd_launch_make_flags(uint32_t sv_comp, const char **words);

#endif

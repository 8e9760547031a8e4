/*
 * Functions of the C library that keep something for all threads where nobody sees it.  They are
 * no steps: it is not explored who calls them first.  But what they return tells a thread of
 * others, so runs of such a program are not foretold.
 */
#include <stdlib.h>
#include <string.h>

#include "rt.h"
#include "rt_real.h"

#define HIDDEN(result, name, parameters, arguments)                                                \
    HD_RT_EXPORT result name parameters {                                                          \
        hd_rt_explore_unseen();                                                                    \
        return hd_rt_real.name arguments;                                                          \
    }

HIDDEN(int, rand, (void), ())
HIDDEN(long, random, (void), ())
HIDDEN(double, drand48, (void), ())
HIDDEN(long, lrand48, (void), ())
HIDDEN(long, mrand48, (void), ())
HIDDEN(char *, strtok, (char *restrict text, const char *restrict between), (text, between))
HIDDEN(int, setenv, (const char *name, const char *value, int over), (name, value, over))

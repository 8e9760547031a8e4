/*
 * Memory that functions of the C++ library use, where no size or offset says it.
 */
#ifndef HD_RT_FOREIGN_CXX_H
#define HD_RT_FOREIGN_CXX_H

#include "rt.h"

typedef void hd_rt_cxx_visit(void *of, bool write, uintptr_t at, size_t size);

/* A place {NAME} of rt_foreign.def. */
void hd_rt_cxx_places(const char *name, const uintptr_t *arguments, hd_rt_cxx_visit *visit,
                      void *of);

/* The exception whose handler the current thread is about to leave; 0: it stays. */
uintptr_t hd_rt_cxx_caught(void);

#endif

#include "rt_real.h"

#include <dlfcn.h>

#include "rt_string.h"

hd_rt_real_table hd_rt_real;

/* Condition variables have an old form under the same names. */
static void *find(const char *name) {
    void *function = NULL;
#if defined __x86_64__
    if (hd_rt_length(name, 14) == 14 && hd_rt_starts(name, "pthread_cond_", 13))
        function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    return function ? function : dlsym(RTLD_NEXT, name);
}

void *hd_rt_real_symbol(const char *name) {
    return find(name);
}

void hd_rt_real_init(void) {
    void *function;
#define REAL(result, name, parameters)                                                             \
    function = find(#name);                                                                        \
    __builtin_memcpy(&hd_rt_real.name, &function, sizeof function);
#include "rt_real.def"
#undef REAL
}

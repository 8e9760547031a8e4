#include "rt_real.h"

#include <dlfcn.h>

#include "rt_string.h"

hd_rt_real_table hd_rt_real;

/* Condition variables have an old form under the same names. */
static void *find_real(const char *name) {
    void *function = NULL;
#if defined __x86_64__
    if (hd_rt_length(name, 14) == 14 && hd_rt_starts(name, "pthread_cond_", 13))
        function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    return function ? function : hd_rt_real.dlsym(RTLD_NEXT, name);
}

/* dlsym itself is interposed: its real one is found by its version. */
static void *find_dlsym(void) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    void *function = NULL;
    for (int i = 0; i < 3 && !function; i++)
        function = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return function;
}

void *hd_rt_real_symbol(const char *name) {
    return find_real(name);
}

/* The table is nothing but pointers, in the order of the list. */
static const char *const names[] = {
#define REAL(result, name, parameters) #name,
#include "rt_real.def"
#undef REAL
};

_Static_assert(sizeof hd_rt_real == sizeof names, "a pointer a name");

void hd_rt_real_init(void) {
    void **functions = (void **)&hd_rt_real;
    *(void **)&hd_rt_real.dlsym = find_dlsym();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (functions[i] != (void *)hd_rt_real.dlsym)
            functions[i] = find_real(names[i]);
}

int hd_rt_print(char *to, size_t size, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    int length = hd_rt_real.vsnprintf(to, size, format, rest);
    va_end(rest);
    return length;
}

/*
 * C++'s own functions of the heap, so that a block is known by who asked for it and who gave it
 * back.  What goes wrong is for the real ones to report.
 */
#include <stdlib.h>

#include "rt_freed.h"
#include "rt_heap.h"
#include "rt_real.h"

void *__libc_memalign(size_t, size_t);

enum { HEAD = HD_RT_GRAIN };

static void *allocate_new(size_t size, size_t alignment, const char *name, uintptr_t code) {
    void *block = hd_rt_heap_on() ? hd_rt_heap_allocate(size, alignment, code) : NULL;
    if (block)
        return block;
    void *(*real)(size_t, size_t);
    *(void **)&real = hd_rt_real_symbol(name);
    return hd_rt_heap_noted(real ? real(size, alignment) : __libc_memalign(alignment, size), size,
                            code);
}

HD_RT_EXPORT void *_Znwm(size_t size) {
    return allocate_new(size, HEAD, "_Znwm", HD_RT_CODE());
}

HD_RT_EXPORT void *_Znam(size_t size) {
    return allocate_new(size, HEAD, "_Znam", HD_RT_CODE());
}

HD_RT_EXPORT void *_ZnwmSt11align_val_t(size_t size, size_t alignment) {
    return allocate_new(size, alignment < HEAD ? HEAD : alignment, "_ZnwmSt11align_val_t",
                        HD_RT_CODE());
}

HD_RT_EXPORT void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
    return allocate_new(size, alignment < HEAD ? HEAD : alignment, "_ZnamSt11align_val_t",
                        HD_RT_CODE());
}

/* Those that return NULL where there is no memory. */
static void *allocate_quietly(size_t size, size_t alignment, uintptr_t code) {
    if (alignment < HEAD)
        alignment = HEAD;
    return hd_rt_heap_on() ? hd_rt_heap_allocate(size, alignment, code)
                           : hd_rt_heap_noted(__libc_memalign(alignment, size), size, code);
}

HD_RT_EXPORT void *_ZnwmRKSt9nothrow_t(size_t size, const void *quietly) {
    (void)quietly;
    return allocate_quietly(size, HEAD, HD_RT_CODE());
}

HD_RT_EXPORT void *_ZnamRKSt9nothrow_t(size_t size, const void *quietly) {
    (void)quietly;
    return allocate_quietly(size, HEAD, HD_RT_CODE());
}

HD_RT_EXPORT void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment,
                                                      const void *quietly) {
    (void)quietly;
    return allocate_quietly(size, alignment, HD_RT_CODE());
}

HD_RT_EXPORT void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment,
                                                      const void *quietly) {
    (void)quietly;
    return allocate_quietly(size, alignment, HD_RT_CODE());
}

#define DELETE(name, parameters, rest)                                                             \
    HD_RT_EXPORT void name parameters {                                                            \
        void(*real) parameters;                                                                    \
        if (!block || hd_rt_heap_ours(block)) {                                                    \
            if (block)                                                                             \
                hd_rt_heap_release(block, HD_RT_CODE());                                           \
            return;                                                                                \
        }                                                                                          \
        *(void **)&real = hd_rt_real_symbol(#name);                                                \
        if (real)                                                                                  \
            real rest;                                                                             \
        else                                                                                       \
            free(block);                                                                           \
    }

DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t size), (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), (block, size))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment),
       (block, size, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment),
       (block, size, alignment))

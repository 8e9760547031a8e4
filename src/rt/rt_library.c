#include "rt_library.h"

#include <dlfcn.h>

#include "rt_foreign.h"
#include "rt_handle.h"
#include "rt_real.h"

enum { MOST_LIBRARIES = 256 };

typedef struct library {
    const void *handle;
    uint32_t opened, closed; /* so many times */
} library;

/* In memory that is put back between runs like the program's own. */
static library *libraries;

void hd_rt_library_start(void) {
    libraries = hd_rt_table(MOST_LIBRARIES * sizeof *libraries, HEDDLE_WIRE_UNKEPT_OBJECTS);
}

/* NULL: there are too many, or that is no handle of one that was opened. */
static library *find_library(const void *handle) {
    for (uint32_t i = 0; libraries && i < MOST_LIBRARIES; i++)
        if (libraries[i].handle == handle)
            return &libraries[i];
    return NULL;
}

static bool is_on(const void *handle) {
    uintptr_t at = (uintptr_t)handle;
    return libraries && at >= HEDDLE_WIRE_HEAP && at < HEDDLE_WIRE_HEAP_END && hd_rt_handle_is_on();
}

static void library_opened(const void *handle) {
    library *it = find_library(handle);
    if (!it)
        it = find_library(NULL);
    if (!it)
        return;
    it->handle = handle;
    it->opened++;
}

static void library_closes(const void *handle, uintptr_t code) {
    library *it = is_on(handle) ? find_library(handle) : NULL;
    if (!it)
        return;
    if (it->opened == 1)
        hd_rt_handle_access(true, handle, code);
    if (++it->closed >= it->opened)
        *it = (library){0};
}

/* --- what the program calls ------------------------------------------------------------------ */

HD_RT_EXPORT void *dlopen(const char *file, int flags) {
    if (hd_rt_controlled())
        hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_loader, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_settle();
    void *handle = hd_rt_real.dlopen(file, flags);
    if (!handle || hd_rt.mode == HD_RT_OFF)
        return handle;
    library_opened(handle);
    hd_rt_modules();
    hd_rt_got_patch();
    return handle;
}

HD_RT_EXPORT int dlclose(void *handle) {
    library_closes(handle, HD_RT_CODE());
    if (hd_rt_controlled())
        hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_loader, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_settle();
    int status = hd_rt_real.dlclose(handle);
    if (hd_rt.mode != HD_RT_OFF)
        hd_rt_got_closed();
    return status;
}

/* RTLD_NEXT depends on the caller: so this must be a tail call in place of the caller's own. */
HD_RT_EXPORT void *dlsym(void *restrict handle, const char *restrict name) {
    if (handle == RTLD_NEXT || hd_rt.mode == HD_RT_OFF)
        return hd_rt_real.dlsym(handle, name);
    if (is_on(handle))
        hd_rt_handle_access(false, handle, HD_RT_CODE());
    void *found = hd_rt_real.dlsym(handle, name);
    return hd_rt.mode == HD_RT_CONTROLLED ? hd_rt_got_stub(name, found) : found;
}

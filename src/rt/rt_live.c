/*
 * A run that the tool reads while it goes on.  The shared file is then so large that its end is
 * never reached, and the tool gives back the memory of what it has read; so a program that never
 * ends needs a few chunks only.  What holds it back is here: a chunk is taken when the tool allows
 * it.  If the tool is gone, the program goes on unread.
 */
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "rt.h"

/* Nanoseconds between looks whether the tool is still there. */
enum { PATIENCE = 100 * 1000 * 1000 };

bool hd_rt_live_wait(uint64_t chunk) {
    heddle_wire *wire = hd_rt.wire;
    const struct timespec patience = {.tv_nsec = PATIENCE};
    while (wire->live) {
        uint32_t allowed = __atomic_load_n(&wire->allowed, __ATOMIC_ACQUIRE);
        if (chunk < allowed)
            break;
        if (hd_rt_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0) != wire->live)
            return false;
        hd_rt_syscall(SYS_futex, (long)&wire->allowed, FUTEX_WAIT, allowed, (long)&patience, 0, 0);
    }
    return true;
}

/* The kernel's tables for it would stay otherwise. */
void hd_rt_live_done(void *chunk) {
    if (chunk && hd_rt.wire->live)
        hd_rt_syscall(SYS_munmap, (long)chunk, (long)HEDDLE_WIRE_CHUNK, 0, 0, 0, 0);
}

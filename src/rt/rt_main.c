/*
 * The beginning of main, and its end: the C library calls it through here.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "rt.h"
#include "rt_explore.h"
#include "rt_real.h"

static int (*program_main)(int, char **, char **);

static void main_left_by_exit(void *thread) {
    hd_rt_self->exiting = true;
    hd_rt_thread_finish(thread);
}

/* main has returned, and the others are to run to their ends.  Whether one has ended is not
 * asked: main must take the same steps in every schedule.  Who creates has a lower number, so
 * all that there will be are there when their turn comes. */
static void await_all(void) {
    for (uint32_t id = 1; id < hd_rt.wire->threads; id++)
        if (hd_rt.wire->thread[id].state != HEDDLE_WIRE_UNBORN &&
            !(hd_rt.exploring && hd_rt_thread_at(id)->by_main)) {
            hd_rt_point(HEDDLE_JOIN + 1, (void *)(uintptr_t)id, 0, 0);
            if (hd_rt.exploring)
                hd_rt_explore_joined(hd_rt_thread_at(id));
        }
}

static int run_main(int argc, char **argv, char **environment) {
    struct rlimit limit;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uint64_t size = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
                        ? limit.rlim_cur
                        : (uint64_t)64 << 20;
    hd_rt.wire->thread[0].stack = here - size;
    hd_rt.wire->thread[0].stack_size = size;
    /* Up to the arguments, which programs are used to sort. */
    hd_rt_self->stack_top = ((uintptr_t)(argv + argc + 1) + 4095) & ~(uintptr_t)4095;
    hd_rt_explore_serve();
    int status;
    pthread_cleanup_push(main_left_by_exit, hd_rt_self);
    status = program_main(argc, argv, environment);
    pthread_cleanup_pop(0);
    if (hd_rt.wire->sv_comp)
        await_all();
    exit(status);
}

/* So that exit is ours, and sees the last write. */
static int run_main_freely(int argc, char **argv, char **environment) {
    exit(program_main(argc, argv, environment));
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);

HD_RT_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                   void (*init)(void), void (*fini)(void),
                                   void (*loader_fini)(void), void *stack_end) {
    void *symbol = hd_rt_real_symbol("__libc_start_main");
    start_main *real;
    __builtin_memcpy(&real, &symbol, sizeof real);
    program_main = main;
    if (hd_rt_controlled())
        main = run_main;
    else if (hd_rt.mode == HD_RT_FREE)
        main = run_main_freely;
    return real(main, argc, argv, init, fini, loader_fini, stack_end);
}

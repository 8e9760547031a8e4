#include "rt_attributes.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "rt_arch.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_foreign_steps.h"
#include "rt_handle.h"
#include "rt_real.h"
#include "rt_spin.h"
#include "rt_string.h"
#include "rt_sync.h"

enum { PAGE = 4096, USUAL_GUARD = 1 << 16, NAME = 16 };

/* Is there no room for a stack with that guard? */
static int check_room(size_t size, size_t guard) {
    size_t rounded = (guard + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (rounded < guard || size + rounded < size)
        return EINVAL;
    long room = hd_rt_syscall(SYS_mmap, 0, (long)(size + rounded), PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (room < 0 && room > -PAGE)
        return EAGAIN;
    hd_rt_syscall(SYS_munmap, room, (long)(size + rounded), 0, 0, 0, 0);
    return 0;
}

static bool has_own_stack(const pthread_attr_t *asked) {
    void *base = NULL;
    size_t size = 0;
    pthread_attr_getstack(asked, &base, &size);
    return size && (uintptr_t)base + size; /* without an address its end is 0 */
}

static bool is_scheduled(const pthread_attr_t *asked) {
    int inherits = PTHREAD_INHERIT_SCHED, policy = SCHED_OTHER;
    pthread_attr_getinheritsched(asked, &inherits);
    pthread_attr_getschedpolicy(asked, &policy);
    return inherits == PTHREAD_EXPLICIT_SCHED && policy != SCHED_OTHER;
}

static bool has_affinity(const pthread_attr_t *asked) {
    cpu_set_t set;
    if (pthread_attr_getaffinity_np(asked, sizeof set, &set) != 0)
        return true;
    for (size_t i = 0; i < sizeof set; i++)
        if (((const unsigned char *)&set)[i] != 0xff)
            return true;
    return false;
}

bool hd_rt_attributes_usual(const pthread_attr_t *asked) {
    size_t guard = 0;
    pthread_attr_getguardsize(asked, &guard);
    return guard <= USUAL_GUARD && !is_scheduled(asked) && !has_affinity(asked);
}

static size_t stack_of(const pthread_attr_t *asked) {
    pthread_attr_t usual;
    size_t size = 0;
    pthread_attr_init(&usual);
    pthread_attr_getstacksize(asked ? asked : &usual, &size);
    pthread_attr_destroy(&usual);
    return size;
}

/* Of a thread, as the program knows it; no size: it brought its own stack, or is the first. */
static struct { size_t size, guard; } stacks[HEDDLE_WIRE_THREADS];

static size_t guard_of(const pthread_attr_t *asked) {
    size_t guard = PAGE;
    if (asked)
        pthread_attr_getguardsize(asked, &guard);
    return guard;
}

size_t hd_rt_attributes_made(uint32_t id, const pthread_attr_t *asked) {
    stacks[id].size = stack_of(asked);
    stacks[id].guard = guard_of(asked);
    return stacks[id].size;
}

bool hd_rt_attributes_fit(uint32_t id, const pthread_attr_t *asked) {
    stacks[id].guard = guard_of(asked);
    return stacks[id].size == stack_of(asked);
}

static void *nothing(void *unused) {
    return unused;
}

/* How and where it is to run: only the system knows whether that is allowed. */
static int check_running(const pthread_attr_t *asked) {
    pthread_attr_t made;
    pthread_t thread;
    struct sched_param parameter;
    int policy;
    cpu_set_t set;
    pthread_attr_init(&made);
    if (is_scheduled(asked) && pthread_attr_getschedpolicy(asked, &policy) == 0 &&
        pthread_attr_getschedparam(asked, &parameter) == 0) {
        pthread_attr_setinheritsched(&made, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&made, policy);
        pthread_attr_setschedparam(&made, &parameter);
    }
    if (has_affinity(asked) && pthread_attr_getaffinity_np(asked, sizeof set, &set) == 0)
        pthread_attr_setaffinity_np(&made, sizeof set, &set);
    int error = hd_rt_real.pthread_create(&thread, &made, nothing, NULL);
    if (!error)
        hd_rt_real.pthread_join(thread, NULL);
    pthread_attr_destroy(&made);
    return error;
}

int hd_rt_attributes_check(const pthread_attr_t *asked) {
    size_t size = 0, guard = 0;
    if (hd_rt_attributes_usual(asked))
        return 0;
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it sets attributes of threads");
    pthread_attr_getguardsize(asked, &guard);
    pthread_attr_getstacksize(asked, &size);
    int error = guard > USUAL_GUARD && !has_own_stack(asked) ? check_room(size, guard) : 0;
    return error || (!is_scheduled(asked) && !has_affinity(asked)) ? error : check_running(asked);
}

/* Weak: older C libraries do not have it.
 * NOLINTNEXTLINE(readability-redundant-declaration) */
extern int pthread_attr_getsigmask_np(const pthread_attr_t *, sigset_t *) __attribute__((weak));

void hd_rt_attributes_mask(const pthread_attr_t *asked, uint64_t *blocked) {
    sigset_t set;
    if (&pthread_attr_getsigmask_np && pthread_attr_getsigmask_np(asked, &set) == 0)
        *blocked = set.__val[0];
}

/* --- asked for -------------------------------------------------------------------------------- */

/* The stack that the system's thread has is larger, so that there is room for the runtime; and that
 * thread is never detached. */
static void tell_attributes(const hd_rt_thread *thread, pthread_attr_t *to) {
    pthread_attr_setdetachstate(to, thread->detached ? PTHREAD_CREATE_DETACHED
                                                     : PTHREAD_CREATE_JOINABLE);
    size_t size = stacks[thread->id].size;
    if (!size)
        return;
    uintptr_t top = (thread->stack_top + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    pthread_attr_setstack(to, (char *)(top - size), size);
    pthread_attr_setguardsize(to, stacks[thread->id].guard);
}

typedef int get_attributes(pthread_t, pthread_attr_t *);

HD_RT_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t *to) {
    get_attributes *real;
    *(void **)&real = hd_rt_real_symbol(__func__);
    if (hd_rt.mode == HD_RT_OFF)
        return real(handle, to);
    hd_rt_thread *thread = NULL;
    if (!hd_rt_controlled())
        hd_rt_handle_look(handle, HD_RT_CODE());
    else if ((thread = hd_rt_handle_use(handle, __func__, HD_RT_CODE())) == hd_rt.current)
        hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_process, HD_RT_LOOKS, HD_RT_CODE());
    pthread_attr_t found;
    int error = real(handle, &found);
    if (error)
        return error;
    if (thread && thread->id)
        tell_attributes(thread, &found);
    hd_rt_deliver(to, &found, sizeof found, HD_RT_CODE());
    return 0;
}

/* --- what a new thread gets ------------------------------------------------------------------ */

static uint64_t hash_attributes(uint64_t hash, const pthread_attr_t *asked) {
    int detached = 0, inherits = 0, policy = 0, scope = 0;
    size_t guard = 0, size = 0;
    struct sched_param parameter = {0};
    cpu_set_t set;
    pthread_attr_getdetachstate(asked, &detached);
    pthread_attr_getguardsize(asked, &guard);
    pthread_attr_getstacksize(asked, &size);
    pthread_attr_getinheritsched(asked, &inherits);
    pthread_attr_getschedpolicy(asked, &policy);
    pthread_attr_getschedparam(asked, &parameter);
    pthread_attr_getscope(asked, &scope);
    const uint64_t words[] = {(unsigned)detached,
                              guard,
                              size,
                              (unsigned)inherits,
                              (unsigned)policy,
                              (unsigned)parameter.sched_priority,
                              (unsigned)scope,
                              has_own_stack(asked)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = hd_rt_spin_mix(hash, words[i]);
    if (pthread_attr_getaffinity_np(asked, sizeof set, &set) == 0)
        for (size_t i = 0; i < sizeof set / sizeof *set.__bits; i++)
            hash = hd_rt_spin_mix(hash, set.__bits[i]);
    return hash;
}

uint64_t hd_rt_attributes_inherited(const pthread_attr_t *asked, const char name[NAME]) {
    uint64_t modes[HD_RT_ARCH_MODES], blocked = hd_rt.current->blocked, hash = 0;
    pthread_attr_t usual;
    hd_rt_arch_modes(modes);
    for (int i = 0; i < HD_RT_ARCH_MODES; i++)
        hash = hd_rt_spin_mix(hash, modes[i]);
    for (int i = 0; i < NAME && name[i]; i++)
        hash = hd_rt_spin_mix(hash, (unsigned char)name[i]);
    if (!asked)
        pthread_attr_init(&usual);
    else
        hd_rt_attributes_mask(asked, &blocked);
    hash = hash_attributes(hd_rt_spin_mix(hash, blocked), asked ? asked : &usual);
    if (!asked)
        pthread_attr_destroy(&usual);
    return hash;
}

/* --- names ----------------------------------------------------------------------------------- */

/* A copy of a text that is read to its end; false: it is longer. */
static bool read_name(char *to, const char *text, uintptr_t code) {
    hd_rt_scan scan;
    char character = 1;
    hd_rt_scan_begin(&scan, text, 1, code);
    for (size_t length = 0; character; length++) {
        character = (char)hd_rt_scan_next(&scan);
        if (length < NAME)
            to[length] = character;
    }
    hd_rt_scan_end(&scan);
    return scan.seen <= NAME;
}

/* The system has no name for a thread that has ended.  Explored: so that end is a step, and this is
 * one that sees it, as a try to join.  It comes before the step on the state: what is done with the
 * name must follow that one directly. */
static bool has_ended(const hd_rt_thread *thread, uintptr_t code) {
    if (thread == hd_rt.current)
        return false;
    if (hd_rt.exploring && !hd_rt.ended) {
        hd_rt_explore->ends |= HEDDLE_WIRE_ENDS_ASKED;
        hd_rt_point_with(HEDDLE_JOIN + 1, HEDDLE_WIRE_TRY, (void *)(uintptr_t)thread->id, 0, code,
                         HD_RT_FOREVER);
    }
    return thread->wire->state == HEDDLE_WIRE_ENDED;
}

static void set_name(hd_rt_thread *thread, const char *name, const char *call, uintptr_t code) {
    hd_rt_handle_name(thread, call, HD_RT_CHANGES, code);
    hd_rt_text(thread->wire->name, sizeof thread->wire->name, name);
    hd_rt_text(thread->name, sizeof thread->name, name);
}

HD_RT_EXPORT int pthread_setname_np(pthread_t handle, const char *text) {
    char name[NAME];
    if (hd_rt.mode == HD_RT_OFF)
        return hd_rt_real.pthread_setname_np(handle, text);
    if (!read_name(name, text, HD_RT_CODE()))
        return ERANGE;
    if (!hd_rt_controlled()) {
        hd_rt_handle_look(handle, HD_RT_CODE());
        return hd_rt_real.pthread_setname_np(handle, name);
    }
    hd_rt_thread *thread = hd_rt_handle_use(handle, __func__, HD_RT_CODE());
    if (!thread)
        return ESRCH;
    if (has_ended(thread, HD_RT_CODE()))
        return ENOENT;
    set_name(thread, name, __func__, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_getname_np(pthread_t handle, char *to, size_t size) {
    char name[NAME];
    if (hd_rt.mode == HD_RT_OFF || size < NAME)
        return hd_rt_real.pthread_getname_np(handle, to, size);
    hd_rt_thread *thread =
        hd_rt_controlled() ? hd_rt_handle_use(handle, __func__, HD_RT_CODE()) : NULL;
    if (thread && has_ended(thread, HD_RT_CODE()))
        return ENOENT;
    if (thread)
        hd_rt_handle_name(thread, __func__, HD_RT_LOOKS, HD_RT_CODE());
    if (thread && thread->name[0])
        hd_rt_text(name, sizeof name, thread->name);
    else {
        int error = hd_rt_real.pthread_getname_np(handle, name, sizeof name);
        if (error)
            return error;
    }
    hd_rt_deliver(to, name, hd_rt_length(name, NAME - 1) + 1, HD_RT_CODE());
    return 0;
}

/* --- prctl ----------------------------------------------------------------------------------- */

typedef int change_process(int, unsigned long, unsigned long, unsigned long, unsigned long);

static int set_own_name(const char *text, uintptr_t code) {
    char name[NAME] = "";
    hd_rt_scan scan;
    hd_rt_scan_begin(&scan, text, 1, code);
    for (size_t length = 0; length < NAME - 1; length++)
        if (!(name[length] = (char)hd_rt_scan_next(&scan)))
            break;
    hd_rt_scan_end(&scan);
    set_name(hd_rt.current, name, "prctl", code);
    return 0;
}

static int get_own_name(char *to, uintptr_t code) {
    char name[NAME] = "";
    const hd_rt_thread *self = hd_rt.current;
    hd_rt_handle_name(self, "prctl", HD_RT_LOOKS, code);
    hd_rt_text(name, sizeof name, self->name);
    if (!name[0])
        hd_rt_syscall(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
    hd_rt_deliver(to, name, sizeof name, code);
    return 0;
}

/* All threads of the program are one of the system's: a name is kept here.  What else it does is
 * done to the process as it is, and memory that it accesses is not looked at. */
HD_RT_EXPORT int prctl(int what, ...) {
    enum { POINTER = 1 << 16 };
    unsigned long words[4];
    va_list list;
    va_start(list, what);
    for (int i = 0; i < 4; i++)
        words[i] = va_arg(list, unsigned long);
    va_end(list);
    if (hd_rt_controlled() && what == PR_SET_NAME)
        return set_own_name((const char *)words[0], HD_RT_CODE());
    if (hd_rt_controlled() && what == PR_GET_NAME)
        return get_own_name((char *)words[0], HD_RT_CODE());
    if (hd_rt_foreign_used()) {
        hd_rt_foreign_state("prctl", HEDDLE_WIRE_KEPT_process, HD_RT_CHANGES, HD_RT_CODE());
        if (words[0] >= POINTER || words[1] >= POINTER)
            hd_rt.wire->callee[hd_rt_foreign_own("prctl")].lost = 1;
    }
    change_process *real;
    *(void **)&real = hd_rt_real_symbol(__func__);
    return real(what, words[0], words[1], words[2], words[3]);
}

#include "rt_world.h"

#include <errno.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_external_wait.h"
#include "rt_real.h"
#include "rt_seccomp.h"
#include "rt_string.h"
#include "rt_world_calls.h"

enum { SAID = HD_RT_WORLD_SAID };

bool hd_rt_world_on;

static struct {
    uintptr_t loader_low, loader_high;
    uint64_t moments[HEDDLE_WIRE_THREADS]; /* times that a thread has looked for signals */
} world;

bool hd_rt_world_plays(void) {
    return hd_rt_world_on && hd_rt.wire->world == HEDDLE_WIRE_PLAYS;
}

static bool is_played(void) {
    return hd_rt_world_plays() && !hd_rt.ended;
}

static bool is_kept(void) {
    return hd_rt_world_on && !hd_rt_world_full() && hd_rt.wire->world == HEDDLE_WIRE_KEEPS;
}

static void differ(uint32_t what, const heddle_world_entry *entry) {
    char text[160];
    if (what >= SAID || entry->what >= SAID)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "it asks for something else from outside");
    hd_rt_print(text, sizeof text, "it makes system call %u where the recording has %u", what,
                entry->what);
    hd_rt_stop(HEDDLE_WIRE_DIVERGED, text);
}

static long do_call(long call, const uintptr_t a[6]) {
    return hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
                         (long)a[5]);
}

/* --- memory that is a file ------------------------------------------------------------------ */

/* What the file has now. */
static long keep_mapping(const uintptr_t a[6]) {
    struct stat status;
    hd_rt_world_stream s;
    long result = do_call(SYS_mmap, a);
    hd_rt_world_begin(&s, SYS_mmap, result);
    if (result >= 0 && hd_rt_syscall(SYS_fstat, (long)a[4], (long)&status, 0, 0, 0, 0) == 0 &&
        (uint64_t)status.st_size > a[5]) {
        uint64_t size = (uint64_t)status.st_size - a[5], done = 0;
        size = size < a[1] ? size : a[1];
        char *to = hd_rt_world_reserve(&s, size);
        for (long got = 1; to && done < size && got > 0; done += got > 0 ? (uint64_t)got : 0)
            got = hd_rt_syscall(SYS_pread64, (long)a[4], (long)(to + done), (long)(size - done),
                                (long)(a[5] + done), 0, 0);
        s.at = done;
    }
    hd_rt_world_end(&s);
    return result;
}

static long play_mapping(const heddle_world_entry *entry, const uintptr_t a[6]) {
    if (entry->result < 0)
        return (long)entry->result;
    long place = (a[3] & MAP_FIXED) ? (long)a[0] : (long)entry->result;
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | (long)(a[3] & MAP_FIXED);
    long at = hd_rt_syscall(SYS_mmap, place, (long)a[1], PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at < 0)
        return at;
    hd_rt_copy((void *)at, entry + 1, entry->size < a[1] ? entry->size : a[1]);
    hd_rt_syscall(SYS_mprotect, at, (long)a[1], (long)a[2], 0, 0, 0);
    return at;
}

/* --- one call ------------------------------------------------------------------------------- */

static long keep_call(long call, const uintptr_t a[6]) {
    hd_rt_world_stream s;
    if (call == SYS_mmap)
        return keep_mapping(a);
    socklen_t room = hd_rt_world_room(call, a);
    long result = do_call(call, a);
    hd_rt_world_begin(&s, (uint32_t)call, result);
    hd_rt_world_stored(&s, call, a, result, room);
    hd_rt_world_end(&s);
    return result;
}

static long play_call(long call, const uintptr_t a[6]) {
    heddle_world_entry *entry = hd_rt_world_next();
    if (!entry)
        return do_call(call, a); /* the recording ends here */
    if (entry->what != (uint32_t)call)
        differ((uint32_t)call, entry);
    if (call == SYS_mmap)
        return play_mapping(entry, a);
    hd_rt_world_stream s = {.entry = entry, .plays = true};
    hd_rt_world_stored(&s, call, a, (long)entry->result, hd_rt_world_room(call, a));
    if (hd_rt_world_shown(call, a))
        do_call(call, a);
    return (long)entry->result;
}

static long meet(long call, const uintptr_t a[6]) {
    if (is_played())
        return play_call(call, a);
    return is_kept() ? keep_call(call, a) : do_call(call, a);
}

long hd_rt_world_call(long number, long a, long b, long c, long d, long e, long f) {
    const uintptr_t all[] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c,
                             (uintptr_t)d, (uintptr_t)e, (uintptr_t)f};
    return hd_rt_world_on ? meet(number, all) : hd_rt_syscall(number, a, b, c, d, e, f);
}

int hd_rt_world_poll(struct pollfd *files, nfds_t count) {
    struct timespec none = {0, 0};
    enum { SIGNAL_SET = 8 };
    if (!hd_rt_world_on)
        return hd_rt_outside_ask(files, count);
    long ready =
        hd_rt_world_call(SYS_ppoll, (long)files, (long)count, (long)&none, 0, SIGNAL_SET, 0);
    if (ready >= 0)
        return (int)ready;
    errno = (int)-ready;
    return -1;
}

/* --- what the runtime finds ------------------------------------------------------------------ */

int64_t hd_rt_world_say(enum hd_rt_world_said what, int64_t value) {
    uint32_t number = SAID + (uint32_t)what;
    hd_rt_world_stream s;
    if (is_played()) {
        const heddle_world_entry *entry = hd_rt_world_next();
        if (entry && entry->what != number)
            differ(number, entry);
        if (!entry && what == HD_RT_SAID_END && !hd_rt.following) /* it was ended in this wait */
            hd_rt_stop(HEDDLE_WIRE_STOPPED, "");
        return entry ? entry->result : value;
    }
    if (is_kept()) {
        hd_rt_world_begin(&s, number, value);
        hd_rt_world_end(&s);
    }
    return value;
}

/* --- signals -------------------------------------------------------------------------------- */

enum { A_SIGNAL = SAID + HD_RT_SAID_SIGNAL };

static uint64_t *moment(void) {
    return &world.moments[hd_rt.current ? hd_rt.current->id : 0];
}

/* A thread looks for signals at the same points in both runs, so how often it has looked says
 * when. */
bool hd_rt_world_signal(siginfo_t *info) {
    if (!hd_rt_world_on)
        return false;
    ++*moment();
    heddle_world_entry *entry = is_played() ? hd_rt_world_peek() : NULL;
    hd_rt_world_stream s = {.entry = entry, .plays = true};
    uint64_t then = 0;
    if (!entry || entry->what != A_SIGNAL)
        return false;
    hd_rt_world_put(&s, &then, sizeof then);
    if (then != *moment())
        return false;
    hd_rt_world_put(&s, info, sizeof *info);
    hd_rt_world_next();
    return true;
}

void hd_rt_world_keep_signal(siginfo_t *info) {
    hd_rt_world_stream s;
    if (!is_kept())
        return;
    hd_rt_world_begin(&s, A_SIGNAL, info->si_signo);
    hd_rt_world_put(&s, moment(), sizeof *moment());
    hd_rt_world_put(&s, info, sizeof *info);
    hd_rt_world_end(&s);
}

/* --- the filter ----------------------------------------------------------------------------- */

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uintptr_t a[6], from = (uintptr_t)info->si_call_addr;
    for (unsigned i = 0; i < 6; i++)
        a[i] = hd_rt_arch_argument(context, i);
    /* Libraries are loaded as they are. */
    bool loads = from >= world.loader_low && from < world.loader_high;
    long result = loads ? do_call(info->si_syscall, a) : meet(info->si_syscall, a);
    hd_rt_arch_result(context, result);
}

static bool filter(void) {
    enum { LISTED = 13 };
    static struct sock_filter code[LISTED + HD_RT_WORLD_MOST + 2];
    struct sigaction ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_NODEFER};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    uint32_t count = hd_rt_world_watched_count;
    const struct sock_filter first[LISTED] = {
        OTHERS_THAN_OWN(SECCOMP_RET_ALLOW, low, high), IF(BPF_JEQ, SYS_mmap, 0, 2), LOAD(args[4]),
        IF(BPF_JEQ, UINT32_MAX, (uint8_t)count, (uint8_t)(count + 1)), /* of no file: allowed */
    };
    for (unsigned i = 0; i < LISTED; i++)
        code[i] = first[i];
    for (uint32_t i = 0; i < count; i++)
        code[LISTED + i] =
            (struct sock_filter)IF(BPF_JEQ, hd_rt_world_watched[i], (uint8_t)(count - i), 0);
    code[LISTED + count] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    code[LISTED + count + 1] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = (unsigned short)(LISTED + count + 2), .filter = code};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, &ours, NULL) == 0 &&
           hd_rt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}

void hd_rt_world_init(void) {
    uintptr_t loader = getauxval(AT_BASE);
    if (!hd_rt.wire->world || !hd_rt_world_open(hd_rt.wire->world == HEDDLE_WIRE_PLAYS))
        return;
    for (uint32_t i = 0; i < hd_rt.wire->modules && i < HEDDLE_WIRE_MODULES; i++)
        if (hd_rt.wire->module[i].base == loader) {
            world.loader_low = hd_rt.wire->module[i].low;
            world.loader_high = hd_rt.wire->module[i].high;
        }
    hd_rt_world_on = filter();
    hd_rt.wire->world_on = hd_rt_world_on;
}

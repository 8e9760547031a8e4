/*
 * Calls that make the process one of another user or group.  The C library asks each of its threads
 * to do it, and waits for them; under control these are parked and never would.  One thread of the
 * system does everything then, so it is enough that this one does.
 *
 * As whom files are accessed (setfsuid) is each thread's own: it is set at each switch of threads,
 * if one has ever asked for another.
 *
 * And the numbers of the process and its threads.
 */
#include <errno.h>
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_identity.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_watch.h"
#include "rt_world.h"

bool hd_rt_identity_differs;

static struct { long user, group; } owners[HEDDLE_WIRE_EXPLORED];

static long set_owner(long number, long to) {
    return hd_rt_syscall(number, to, 0, 0, 0, 0, 0);
}

static void note_owner(uint32_t id) {
    owners[id].user = set_owner(SYS_setfsuid, -1);
    owners[id].group = set_owner(SYS_setfsgid, -1);
}

void hd_rt_identity_adopt(const hd_rt_thread *thread) {
    note_owner(thread->id);
}

void hd_rt_identity_assume(const hd_rt_thread *next) {
    set_owner(SYS_setfsuid, owners[next->id].user);
    set_owner(SYS_setfsgid, owners[next->id].group);
}

static int change_owner(long number, long to) {
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it accesses files as another user");
    for (uint32_t id = 0; !hd_rt_identity_differs && id < HEDDLE_WIRE_EXPLORED; id++)
        note_owner(id);
    hd_rt_identity_differs = true;
    hd_rt_spin_lose(hd_rt.current);
    int before = (int)set_owner(number, to);
    note_owner(hd_rt.current->id);
    return before;
}

/* Who the process is has changed, and with it as whom all threads access files. */
static void own_all(long number) {
    bool user = number == SYS_setuid || number == SYS_setreuid || number == SYS_setresuid;
    bool group = number == SYS_setgid || number == SYS_setregid || number == SYS_setresgid;
    for (uint32_t id = 0; id < HEDDLE_WIRE_EXPLORED; id++) {
        owners[id].user = user ? set_owner(SYS_setfsuid, -1) : owners[id].user;
        owners[id].group = group ? set_owner(SYS_setfsgid, -1) : owners[id].group;
    }
}

static int change(const char *name, long number, long a, long b, long c, uintptr_t code) {
    hd_rt_foreign_identity(name, code);
    const uintptr_t words[6] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c};
    long result = !hd_rt.exploring  ? hd_rt_syscall(number, a, b, c, 0, 0, 0)
                  : hd_rt_in_memory ? hd_rt_filter_call(number, words)
                                    : hd_rt_watch_call(number, words);
    if (result < 0)
        errno = (int)-result;
    else if (hd_rt_identity_differs)
        own_all(number);
    return result < 0 ? -1 : 0;
}

#define PASS_ON(name, parameters, arguments)                                                       \
    int(*real) parameters = NULL;                                                                  \
    *(void **)&real = hd_rt_real_symbol(#name);                                                    \
    return real arguments

/* Where threads are under control the system call, else the C library's. */
#define CHANGE(name, parameters, arguments, number, a, b, c)                                       \
    HD_RT_EXPORT int name parameters {                                                             \
        if (hd_rt_controlled())                                                                    \
            return change(#name, number, (long)(a), (long)(b), (long)(c), HD_RT_CODE());           \
        PASS_ON(name, parameters, arguments);                                                      \
    }

CHANGE(setuid, (uid_t user), (user), SYS_setuid, user, 0, 0)
CHANGE(setgid, (gid_t group), (group), SYS_setgid, group, 0, 0)
CHANGE(seteuid, (uid_t user), (user), SYS_setresuid, -1, user, -1)
CHANGE(setegid, (gid_t group), (group), SYS_setresgid, -1, group, -1)
CHANGE(setreuid, (uid_t real_user, uid_t user), (real_user, user), SYS_setreuid, real_user, user, 0)
CHANGE(setregid, (gid_t real_group, gid_t group), (real_group, group), SYS_setregid, real_group,
       group, 0)
CHANGE(setresuid, (uid_t real_user, uid_t user, uid_t saved), (real_user, user, saved),
       SYS_setresuid, real_user, user, saved)
CHANGE(setresgid, (gid_t real_group, gid_t group, gid_t saved), (real_group, group, saved),
       SYS_setresgid, real_group, group, saved)
CHANGE(setgroups, (size_t count, const gid_t *list), (count, list), SYS_setgroups, count, list, 0)

#define CHANGE_OWNER(name, type, number)                                                           \
    HD_RT_EXPORT int name(type to) {                                                               \
        if (hd_rt_controlled() && hd_rt.exploring)                                                 \
            return change_owner(number, (long)to);                                                 \
        PASS_ON(name, (type), (to));                                                               \
    }

CHANGE_OWNER(setfsuid, uid_t, SYS_setfsuid)
CHANGE_OWNER(setfsgid, gid_t, SYS_setfsgid)

/* --- numbers of processes and threads -------------------------------------------------------- */

/* A run that follows another has the same number, whichever process it is: that of the recording,
 * or one that the system gives to none. */
enum { FIXED = 4200000 };

static pid_t fixed(void) {
    return hd_rt.wire->process ? (pid_t)hd_rt.wire->process : FIXED;
}

bool hd_rt_identity_asked;

static bool is_fixed(void) {
    return hd_rt_controlled() && hd_rt.wire->decision != HEDDLE_WIRE_BY_SEED && !hd_rt_world_on;
}

static pid_t real_number(void) {
    return (pid_t)hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static pid_t played; /* what the program was told, if that is another one */

static pid_t told_number(void) {
    played = (pid_t)hd_rt_world_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (hd_rt_controlled() && !hd_rt_world_on)
        hd_rt.wire->process = (uint32_t)played;
    return played;
}

HD_RT_EXPORT pid_t getpid(void) {
    if (!is_fixed())
        return told_number();
    hd_rt_identity_asked = true;
    return fixed();
}

/* Of none that can be reached: in runs that are forked it is one of ours. */
HD_RT_EXPORT pid_t getppid(void) {
    return is_fixed() ? FIXED - 1 : (pid_t)hd_rt_world_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
}

/* Threads under control are one of the system's, so each gets a number of its own; main has that of
 * the process, as always (tgkill in rt_signal_send.c). */
HD_RT_EXPORT pid_t gettid(void) {
    if (hd_rt_controlled())
        return getpid() + (pid_t)hd_rt.current->id;
    return (pid_t)hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

pid_t hd_rt_identity_real(pid_t process) {
    if (hd_rt_world_plays() && played && process == played)
        return real_number();
    return is_fixed() && process == fixed() ? real_number() : process;
}

static bool is_ours(uintptr_t number) {
    return (pid_t)number >= fixed() && (pid_t)number < fixed() + (pid_t)hd_rt.wire->threads;
}

/* The name of a file below /proc, with the number of the process; else NULL. */
static const char *rest_of_own(const char *path) {
    static const char folder[] = "/proc/";
    uint32_t number = 0, own = (uint32_t)fixed();
    if (!path || !hd_rt_starts(path, folder, sizeof folder - 1))
        return NULL;
    for (path += sizeof folder - 1; *path >= '0' && *path <= '9' && number < own; path++)
        number = 10 * number + (uint32_t)(*path - '0');
    return number == own && (!*path || *path == '/') ? path : NULL;
}

void hd_rt_identity_translate(uintptr_t *arguments, unsigned numbers, unsigned path) {
    static char own[4096];
    if (!is_fixed())
        return;
    for (unsigned i = 0; i < numbers; i++)
        if (is_ours(arguments[i]))
            arguments[i] = (uintptr_t)real_number();
    const char *rest = path ? rest_of_own((const char *)arguments[path - 1]) : NULL;
    if (!rest)
        return;
    size_t length = hd_rt_length("/proc/self", SIZE_MAX);
    hd_rt_text(own, sizeof own, "/proc/self");
    hd_rt_text(own + length, sizeof own - length, rest);
    arguments[path - 1] = (uintptr_t)own;
}

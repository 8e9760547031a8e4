/*
 * Calls that make the process one of another user or group.  The C library asks each of its threads
 * to do it, and waits for them; under control these are parked and never would.  One thread of the
 * system does everything then, so it is enough that this one does.
 */
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_watch.h"

static int change(const char *name, long number, long a, long b, long c, uintptr_t code) {
    hd_rt_foreign_identity(name, code);
    const uintptr_t words[6] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c};
    long result = !hd_rt.exploring  ? hd_rt_syscall(number, a, b, c, 0, 0, 0)
                  : hd_rt_in_memory ? hd_rt_filter_call(number, words)
                                    : hd_rt_watch_call(number, words);
    if (result < 0)
        errno = (int)-result;
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

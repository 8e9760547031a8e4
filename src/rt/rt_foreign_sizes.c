/*
 * Types of the C library that rt_foreign.def names, and their sizes.
 */
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <glob.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <obstack.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <utime.h>
#include <utmpx.h>
#include <wchar.h>
#include <wordexp.h>

#include "rt_foreign.h"
#include "rt_string.h"

static const struct {
    const char *name;
    size_t size;
} sizes[] = {
#define MODULE(soname)
#define CALL(name, state)
#define SIZE(name, type) {name, sizeof(type)},
#include "rt_foreign.def"
#undef SIZE
#undef CALL
#undef MODULE
};

size_t hd_rt_foreign_size(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (hd_rt_length(sizes[i].name, SIZE_MAX) == length &&
            hd_rt_starts(sizes[i].name, name, length))
            return sizes[i].size;
    return 0; /* tests make sure that there is none */
}

#include "native_hang.h"

#include <stdio.h>
#include <sys/syscall.h>

/* The file says "running", or the number of the call and its arguments. */
bool hd_native_hang_is_blocked(pid_t process) {
    char path[64];
    long call = -1;
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fscanf(file, "%ld", &call) == 1;
    fclose(file);
    return read && call == SYS_futex;
}

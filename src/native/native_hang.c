#include "native_hang.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* The file says "running", or the number of the call and its arguments. */
static bool waits_in_futex(pid_t process, const char *thread) {
    char path[320], text[64], *end = text;
    snprintf(path, sizeof path, "/proc/%d/task/%s/syscall", (int)process, thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return read && strtol(text, &end, 10) == SYS_futex && end > text;
}

bool hd_native_hang_is_blocked(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (!threads)
        return false;
    size_t waiting = 0;
    bool all = true;
    for (struct dirent *entry; all && (entry = readdir(threads));)
        if (entry->d_name[0] != '.') {
            all = waits_in_futex(process, entry->d_name);
            waiting += all;
        }
    closedir(threads);
    return all && waiting;
}

/* The state follows the name, which is in parentheses and may have any in it. */
bool hd_native_hang_is_stopped(pid_t process) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    const char *name_end = read ? strrchr(text, ')') : NULL;
    return name_end && strncmp(name_end, ") T", 3) == 0;
}

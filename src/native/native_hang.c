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

/* What follows the name, which is in parentheses and may have any in it; "" if it is not known. */
static const char *read_state(pid_t process, char text[256]) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return "";
    bool read = fgets(text, 256, file) != NULL;
    fclose(file);
    const char *name_end = read ? strrchr(text, ')') : NULL;
    return name_end ? name_end : "";
}

bool hd_native_hang_is_stopped(pid_t process) {
    char text[256];
    return strncmp(read_state(process, text), ") T", 3) == 0;
}

bool hd_native_hang_is_child(pid_t process, pid_t parent) {
    static const size_t before = 4; /* ") S " */
    char text[256];
    if (process <= 0 || parent <= 0)
        return false;
    const char *state = read_state(process, text);
    return strlen(state) > before && strtol(state + before, NULL, 10) == parent;
}

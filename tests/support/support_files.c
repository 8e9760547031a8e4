#include "support_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void support_example_path(char *to, size_t size, const char *name) {
    const char *given = getenv("HEDDLE_TEST_DATA");
    const char *slash = strrchr(__FILE__, '/');
    int length = slash ? (int)(slash - __FILE__) : 0;
    if (given)
        snprintf(to, size, "%s/examples/%s", given, name);
    else
        snprintf(to, size, "%.*s%s../data/examples/%s", length, __FILE__, slash ? "/" : "", name);
}

void support_temporary(char *to, size_t size, const char *name) {
    const char *parent = getenv("TMPDIR");
    snprintf(to, size, "%s/%s-XXXXXX", parent && *parent ? parent : "/tmp", name);
    int file = mkstemp(to);
    if (file < 0) {
        perror(to);
        abort();
    }
    close(file);
}

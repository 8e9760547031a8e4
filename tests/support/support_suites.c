/* The main of a program of suites.  SUITES, in a header that meson writes, is the list of them:
 * SUITE(name) ... */
#include <stdio.h>
#include <string.h>

#include SUITES_H

#define SUITE(name) int name(int argc, char **argv);
SUITES
#undef SUITE

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} suites[] = {
#define SUITE(name) {#name, name},
    SUITES
#undef SUITE
};

int main(int argc, char **argv) {
    static char command[4096]; /* for messages that say how to run it again */
    for (size_t i = 0; argc > 1 && i < sizeof suites / sizeof *suites; i++) {
        if (strcmp(suites[i].name, argv[1]) == 0) {
            snprintf(command, sizeof command, "%s %s", argv[0], argv[1]);
            argv[1] = command;
            return suites[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "usage: %s SUITE [OPTION]...\n", argv[0]);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        fprintf(stderr, "    %s\n", suites[i].name);
    }
    return 2;
}

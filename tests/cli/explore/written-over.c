/* Writes numbers at random over what it shares with heddle: argv[1] is the seed, argv[2] says over
 * what, argv[3] how many. */
#include <heddle/wire.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}
static __attribute__((no_sanitize("thread"))) void overwrite(unsigned long state, const char *what,
                                                             int times) {
    char line[512];
    unsigned long low = 0, high = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (!low && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:heddle-wire"))
            sscanf(line, "%lx-%lx", &low, &high);
    fclose(maps);
    heddle_wire *wire = (heddle_wire *)low;
    unsigned long its = low + wire->explore, from = low + offsetof(heddle_wire, attached);
    unsigned long size = offsetof(heddle_wire, order_object) - offsetof(heddle_wire, attached);
    if (!strcmp(what, "counts"))
        from = its + offsetof(heddle_wire_explore, done),
        size = offsetof(heddle_wire_explore, loop) - offsetof(heddle_wire_explore, done);
    else if (!strcmp(what, "tables"))
        from = its + offsetof(heddle_wire_explore, loop),
        size = offsetof(heddle_wire_explore, shared_part) - offsetof(heddle_wire_explore, loop);
    else if (!strcmp(what, "all"))
        from = low, size = sizeof *wire;
    else if (!strcmp(what, "steps")) /* the first ones */
        from = its + offsetof(heddle_wire_explore, step), size = 64 * sizeof(heddle_wire_step);
    else if (!strcmp(what, "nexts"))
        from = its + offsetof(heddle_wire_explore, next), size = 64 * sizeof(heddle_wire_next);
    else if (!strcmp(what, "head")) {
        memset(&wire->mode, 65, offsetof(heddle_wire, world) - offsetof(heddle_wire, mode));
        return;
    } else if (!strcmp(what, "threads")) {
        ((heddle_wire_explore *)its)->threads = ~0U;
        return;
    }
    for (int i = 0; i < times; i++) {
        state = state * 6364136223846793005UL + 1442695040888963407UL;
        unsigned long at = (state >> 20) % size & ~7UL, value = state >> 12;
        value = i % 4 == 0 ? value << 20 : i % 4 == 1 ? ~0UL : i % 4 == 2 ? value % 4096 : 0;
        memcpy((char *)from + at, &value, sizeof value);
    }
}
int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, 0, add, &n);
    overwrite(strtoul(argv[1], 0, 0), argv[2], atoi(argv[3]));
    add(0);
    pthread_join(thread, 0);
    return 0;
}

/* Writes over what it shares with heddle: argv[1] says over what. */
#include <heddle/wire.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, rounds;
static volatile int each[64];
static void *add(void *unused) {
    for (int i = 0; i < rounds; i++) {
        if (i % 100 == 0) {
            pthread_mutex_lock(&lock);
            n++;
            pthread_mutex_unlock(&lock);
        }
        each[i % 32 + 32 * !unused]++;
    }
    return unused;
}
static __attribute__((no_sanitize("thread"))) void overwrite(const char *what) {
    char line[512];
    unsigned long low = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (!low && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:heddle-wire"))
            sscanf(line, "%lx", &low);
    fclose(maps);
    heddle_wire *wire = (heddle_wire *)low;
    heddle_wire_page *page = &heddle_wire_pages(wire)[wire->page_list[0]];
    if (!strcmp(what, "page-list"))
        wire->page_list[0]++, wire->page_list[1] += 7;
    if (!strcmp(what, "pages"))
        page->number++;
    if (!strcmp(what, "marks"))
        for (int i = 0; i < HEDDLE_WIRE_PAGE / 8; i++)
            page->marks[i] = 0;
    if (!strcmp(what, "objects"))
        heddle_wire_objects(wire)[0] = ~0UL;
    if (!strcmp(what, "object-count"))
        wire->objects = ~0UL;
    if (!strcmp(what, "code-count"))
        wire->codes = ~0UL;
    if (!strcmp(what, "codes"))
        wire->code_list[0] = ~0UL, wire->code_list[1] = 3;
    if (!strcmp(what, "thread-count"))
        wire->threads = ~0U;
    if (!strcmp(what, "threads"))
        wire->thread[1].creator = wire->thread[1].birth = ~0U;
    if (!strcmp(what, "blocks"))
        wire->blocks = 5, memset(heddle_wire_blocks(wire), 255, 5 * sizeof(heddle_wire_block));
    if (!strcmp(what, "modules"))
        wire->modules = ~0U, memset(wire->module, 65, sizeof wire->module);
    if (!strcmp(what, "records"))
        memset(heddle_wire_chunk_at(wire, 0)->bytes, 255, 64);
}
int main(int argc, char **argv) {
    pthread_t thread;
    rounds = argc > 2 ? atoi(argv[2]) : 300;
    pthread_create(&thread, 0, add, &n);
    add(0);
    pthread_join(thread, 0);
    overwrite(argv[1]);
    return 0;
}

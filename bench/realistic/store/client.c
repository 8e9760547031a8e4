/* A client: some commands, whose answers are checked where they do not depend on other clients. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static void run_line(const char *line, char *answer, size_t room) {
    bool good = command_run(line, answer, room);
    assert(good);
    (void)good;
}

static void round_of(const client *c, int round) {
    char line[64], answer[64];
    snprintf(line, sizeof line, "SET k%d.%d v%d %d", c->number, round, round, round % 2 ? 1 : 0);
    run_line(line, answer, sizeof answer);
    assert(strcmp(answer, "OK") == 0);
    run_line("INCR hits", answer, sizeof answer);
    snprintf(line, sizeof line, "MOVE account%d account%d 1", c->number % 2, (c->number + 1) % 2);
    run_line(line, answer, sizeof answer);
    snprintf(line, sizeof line, "GET k%d.%d", c->number, round);
    run_line(line, answer, sizeof answer);
    assert(answer[0] == 'v' || answer[0] == '(');
    if (round % 4 == 2) {
        snprintf(line, sizeof line, "DEL k%d.%d", c->number, round);
        run_line(line, answer, sizeof answer);
    }
}

static void *run(void *argument) {
    const client *c = argument;
    for (int round = 0; round < c->rounds; round++)
        round_of(c, round);
    return NULL;
}

void client_start(client *c) {
    if (pthread_create(&c->thread, NULL, run, c))
        abort();
}

void client_join(client *c) {
    pthread_join(c->thread, NULL);
}

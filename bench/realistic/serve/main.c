/*
 *   serve [-w WORKERS] [-c CLIENTS] [-r REQUESTS] [-k] [-v]
 *
 * Serves so many requests of so many clients each, with connections that are kept (-k) or not, and
 * looks whether each was answered, once, and is in the log.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve.h"

static int number(const char *text, int least, int most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        fprintf(stderr, "serve: %s: not a number from %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

int main(int argc, char **argv) {
    client clients[MOST_CLIENTS];
    int workers = 2, count = 2, requests = 2, good = 0, bad = 0, option;
    bool keep_alive = false, verbose = false;
    unsigned long lines;
    server *s;
    while ((option = getopt(argc, argv, "w:c:r:kv")) >= 0)
        switch (option) {
        case 'w':
            workers = number(optarg, 1, MOST_WORKERS);
            break;
        case 'c':
            count = number(optarg, 1, MOST_CLIENTS);
            break;
        case 'r':
            requests = number(optarg, 1, 1000000);
            break;
        case 'k':
            keep_alive = true;
            break;
        case 'v':
            verbose = true;
            break;
        default:
            return 2;
        }
    s = server_start(workers, verbose);
    for (int i = 0; i < count; i++) {
        clients[i] = (client){.number = i, .requests = requests, .keep_alive = keep_alive};
        client_start(&clients[i]);
    }
    for (int i = 0; i < count; i++) {
        client_join(&clients[i]);
        good += clients[i].good;
        bad += clients[i].bad;
    }
    lines = server_stop(s);
    assert(bad == 0 && good == count * requests);
    assert(stats_get().requests == lines && lines >= (unsigned long)good);
    if (verbose)
        printf("%d requests, %lu lines\n", good, lines);
    return 0;
}

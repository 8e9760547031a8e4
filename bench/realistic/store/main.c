/*
 *   store [-c CLIENTS] [-r ROUNDS] [-m ENTRIES] [-v]
 *
 * Clients use the store, which keeps so many entries, and snapshots are taken: no snapshot has
 * more or less in the accounts than there was.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store.h"

enum { FUNDS = 20 };

static long number(const char *text, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        fprintf(stderr, "store: %s: not a number from %ld to %ld\n", text, least, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    client clients[MOST_CLIENTS];
    char answer[VALUE_SIZE] = "";
    int count = 2, rounds = 2, option;
    size_t most = 0;
    bool verbose = false;
    while ((option = getopt(argc, argv, "c:r:m:v")) >= 0)
        switch (option) {
        case 'c':
            count = (int)number(optarg, 1, MOST_CLIENTS);
            break;
        case 'r':
            rounds = (int)number(optarg, 1, 1000000);
            break;
        case 'm':
            most = (size_t)number(optarg, 8, 1000000);
            break;
        case 'v':
            verbose = true;
            break;
        default:
            return 2;
        }
    /* The accounts and the counter are used in each round of each client, so that at most one other
     * entry of each client is newer: they are never dropped. */
    store_open(most ? most : (size_t)(3 + 2 * count), verbose);
    store_set("account0", "10", 0);
    store_set("account1", "10", 0);
    store_increment("hits", 0);
    for (int i = 0; i < count; i++) {
        clients[i] = (client){.number = i, .rounds = rounds};
        client_start(&clients[i]);
    }
    snapshot early = snapshot_take();
    assert(early.sum == FUNDS && "a snapshot has all that there is"); /* bug 9 */
    for (int i = 0; i < count; i++)
        client_join(&clients[i]);
    snapshot late = snapshot_take();
    assert(late.sum == FUNDS);
    assert(late.entries == late.counted && "each entry was counted"); /* bug 1 */
    store_get("hits", answer);
    assert(atol(answer) == (long)count * rounds && "no increment was lost"); /* bug 5 */
    if (verbose)
        printf("%zu entries, %s hits\n", late.entries, answer);
    store_close();
    return 0;
}

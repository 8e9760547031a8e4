/*
 * Clients of a server with few lines, after `liveness` of Sinha et al., of which only the measures
 * are known: a client waits while no line is free, sends its requests, looks at another client for
 * each, and hangs up.  Who gets a line depends on the schedule.  With MISTAKE 1 a client that hangs
 * up wakes another one only if all lines were used.  So a client may wait for ever, which
 * `heddle explore` shows.
 *
 *   liveness [CLIENTS [REQUESTS [LINES [MISTAKE]]]]
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 16 };

typedef struct client {
    pthread_mutex_t lock;
    bool connected;
    int sent;
} client;

static client table[MOST];
static pthread_mutex_t lines_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t line_free = PTHREAD_COND_INITIALIZER;
static int clients = 6, requests = 1, lines = 2, mistake;
static int used, waiting; /* lines, clients: under lines_lock */
static int calls, last;   /* under journal_lock */
static int turn;          /* under turn_lock */

static void note_call(int id) {
    pthread_mutex_lock(&journal_lock);
    calls++;
    last = id;
    pthread_mutex_unlock(&journal_lock);
}

static void connect_to_server(int id) {
    pthread_mutex_lock(&lines_lock);
    while (used == lines) {
        waiting++;
        pthread_cond_wait(&line_free, &lines_lock);
        waiting--;
    }
    used++;
    pthread_mutex_unlock(&lines_lock);
    pthread_mutex_lock(&table[id].lock);
    table[id].connected = true;
    pthread_mutex_unlock(&table[id].lock);
}

static void send_request(int id) {
    pthread_mutex_lock(&turn_lock);
    int other = turn++ % clients;
    pthread_mutex_unlock(&turn_lock);
    if (other != id) {
        pthread_mutex_lock(&table[other].lock);
        bool idle = !table[other].connected;
        pthread_mutex_unlock(&table[other].lock);
        if (idle)
            note_call(other);
    }
    pthread_mutex_lock(&table[id].lock);
    table[id].sent++;
    pthread_mutex_unlock(&table[id].lock);
}

static void hang_up(int id) {
    pthread_mutex_lock(&table[id].lock);
    table[id].connected = false;
    pthread_mutex_unlock(&table[id].lock);
    pthread_mutex_lock(&lines_lock);
    bool wake = waiting && (!mistake || used == lines);
    used--;
    if (wake)
        pthread_cond_signal(&line_free);
    pthread_mutex_unlock(&lines_lock);
}

static void *run_client(void *which) {
    int id = (int)((client *)which - table);
    connect_to_server(id);
    for (int i = 0; i < requests; i++)
        send_request(id);
    hang_up(id);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        clients = atoi(words[1]);
    if (count > 2)
        requests = atoi(words[2]);
    if (count > 3)
        lines = atoi(words[3]);
    if (count > 4)
        mistake = atoi(words[4]);
    if (clients < 1 || clients > MOST || requests < 1 || lines < 1)
        return 2;
    for (int i = 0; i < clients; i++)
        pthread_mutex_init(&table[i].lock, NULL);
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, run_client, &table[i]);
    for (int i = 0; i < clients; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < clients; i++)
        sum += table[i].sent;
    return sum != clients * requests || used;
}

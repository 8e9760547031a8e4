/*
 * A pool of connections, after `conpool` of Sinha et al.: clients take a connection, use it for a
 * request and give it back; a client waits while all are taken.  Which client gets which connection
 * depends on the schedule, and so does what each connection counted.
 *
 *   conpool [CLIENTS [REQUESTS [CONNECTIONS]]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

typedef struct connection {
    int in_use;
    int requests;
} connection;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;
static connection pool[MOST];
static int clients = 3, requests = 1, connections = 2;
static int available, served, closed;

static connection *take(void) {
    connection *taken = NULL;
    pthread_mutex_lock(&lock);
    while (available == 0 && !closed)
        pthread_cond_wait(&given_back, &lock);
    for (int i = 0; i < connections && taken == NULL; i++)
        if (!pool[i].in_use)
            taken = &pool[i];
    if (taken != NULL) {
        taken->in_use = 1;
        available--;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

static void give_back(connection *taken) {
    pthread_mutex_lock(&lock);
    taken->in_use = 0;
    available++;
    served++;
    pthread_cond_signal(&given_back);
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused) {
    (void)unused;
    for (int i = 0; i < requests; i++) {
        connection *taken = take();
        if (taken == NULL)
            break;
        taken->requests++; /* its own while it is taken */
        give_back(taken);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        clients = atoi(words[1]);
    if (count > 2)
        requests = atoi(words[2]);
    if (count > 3)
        connections = atoi(words[3]);
    if (clients < 1 || clients > MOST || connections < 1 || connections > MOST || requests < 1)
        return 2;
    available = connections;
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, client, NULL);
    for (int i = 0; i < clients; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&given_back);
    pthread_mutex_unlock(&lock);
    int sum = 0;
    for (int i = 0; i < connections; i++)
        sum += pool[i].requests;
    return sum != served || served != clients * requests;
}

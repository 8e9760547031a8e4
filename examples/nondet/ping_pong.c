/*
 * Ping-pong, after the concurrency benchmark of Farchi, Nir and Ur: players hit a ball to one
 * another in turn.  The ball and the score are under one lock; a player waits for its turn.
 * Spectators look at the score now and then, without waiting.
 *
 *   ping_pong [PLAYERS [HITS [SPECTATORS]]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int turn, hits_made, score[MOST];
static int players = 2, hits = 10, spectators = 2;
static int seen[MOST];

static void *player(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < hits; i++) {
        pthread_mutex_lock(&lock);
        while (turn != own)
            pthread_cond_wait(&turn_changed, &lock);
        hits_made++;
        score[own] = hits_made;
        turn = (own + 1) % players;
        pthread_cond_broadcast(&turn_changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *spectator(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < hits; i++) {
        pthread_mutex_lock(&lock);
        seen[own] = score[i % players];
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[2 * MOST];
    if (count > 1)
        players = atoi(words[1]);
    if (count > 2)
        hits = atoi(words[2]);
    if (count > 3)
        spectators = atoi(words[3]);
    if (players < 1 || players > MOST || hits < 1 || spectators < 0 || spectators > MOST)
        return 2;
    for (int i = 0; i < players; i++)
        pthread_create(&threads[i], NULL, player, (void *)(size_t)i);
    for (int i = 0; i < spectators; i++)
        pthread_create(&threads[players + i], NULL, spectator, (void *)(size_t)i);
    for (int i = 0; i < players + spectators; i++)
        pthread_join(threads[i], NULL);
    int most = 0;
    for (int i = 0; i < spectators; i++)
        most = seen[i] > most ? seen[i] : most;
    return hits_made != players * hits || most > hits_made;
}

/*
 * BarrierBench of the Java Grande suite, a subject of Sinha et al.: threads meet at a barrier
 * again and again.  The simple barrier is a counter under a lock, with a wait; the tournament
 * barrier is a tree of flags, each written by one thread and read by another under the lock of the
 * winner.
 *
 *   barrier [THREADS [ROUNDS [tournament]]]
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static int threads = 9, rounds = 2, tournament;

/* ---- The simple barrier ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t complete = PTHREAD_COND_INITIALIZER;
static int arrived, generation;

static void meet_simply(void) {
    pthread_mutex_lock(&lock);
    int mine = generation;
    if (++arrived == threads) {
        arrived = 0;
        generation++;
        pthread_cond_broadcast(&complete);
    }
    while (generation == mine)
        pthread_cond_wait(&complete, &lock);
    pthread_mutex_unlock(&lock);
}

/* ---- The tournament barrier ---- */

static struct player {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int came; /* how many rounds of its losers have come */
    int go;   /* how often it was let go */
} players[MOST];

static void wait_for(struct player *player, const int *field, int value) {
    pthread_mutex_lock(&player->lock);
    while (*field < value)
        pthread_cond_wait(&player->changed, &player->lock);
    pthread_mutex_unlock(&player->lock);
}

static void add(struct player *player, int *field) {
    pthread_mutex_lock(&player->lock);
    ++*field;
    pthread_cond_broadcast(&player->changed);
    pthread_mutex_unlock(&player->lock);
}

/* Thread `own` waits for its two losers, tells its winner, and is told to go on by it. */
static void meet_in_tournament(int own, int round) {
    int losers = (2 * own + 1 < threads) + (2 * own + 2 < threads);
    wait_for(&players[own], &players[own].came, losers * (round + 1));
    if (own > 0) {
        struct player *winner = &players[(own - 1) / 2];
        add(winner, &winner->came);
        wait_for(&players[own], &players[own].go, round + 1);
    }
    for (int i = 1; i <= losers; i++)
        add(&players[2 * own + i], &players[2 * own + i].go);
}

/* ---- The threads: each writes its cell between two meetings and reads its neighbour's after. ---- */

static int cells[MOST], wrong[MOST];

static void *worker(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < rounds; i++) {
        cells[own] = i + 1;
        tournament ? meet_in_tournament(own, 2 * i) : meet_simply();
        if (cells[(own + 1) % threads] != i + 1)
            wrong[own] = 1;
        tournament ? meet_in_tournament(own, 2 * i + 1) : meet_simply();
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t made[MOST];
    if (count > 1)
        threads = atoi(words[1]);
    if (count > 2)
        rounds = atoi(words[2]);
    tournament = count > 3 && strcmp(words[3], "tournament") == 0;
    if (threads < 1 || threads > MOST || rounds < 1)
        return 2;
    for (int i = 0; i < threads; i++) {
        pthread_mutex_init(&players[i].lock, NULL);
        pthread_cond_init(&players[i].changed, NULL);
    }
    for (int i = 0; i < threads; i++)
        pthread_create(&made[i], NULL, worker, (void *)(size_t)i);
    int sum = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(made[i], NULL);
        sum += wrong[i];
    }
    return sum != 0;
}

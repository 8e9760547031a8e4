# A program that allocates and frees all the time: variables of freed blocks are forgotten, and their
# numbers used again.  A race on a block is found as before.
cat >server.c <<'C'
#include <pthread.h>
#include <stdlib.h>
typedef struct job {
    long number, value;
    struct job *next;
} job;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static job *queue;
static int length, done;
static long sum;
static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!queue && !done)
            pthread_cond_wait(&changed, &lock);
        job *it = queue;
        if (it) {
            queue = it->next;
            length--;
            pthread_cond_broadcast(&changed);
        }
        pthread_mutex_unlock(&lock);
        if (!it)
            return unused;
        it->value = it->number * 2;
        pthread_mutex_lock(&lock);
        sum += it->value;
        pthread_mutex_unlock(&lock);
        free(it);
    }
}
int main(int count, char **words) {
    long jobs = atol(words[1]), last = count > 2 ? jobs - 200 : jobs;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (long i = 0; i < jobs; i++) {
        job *it = malloc(sizeof *it);
        it->number = i;
        it->value = 0;
        pthread_mutex_lock(&lock);
        while (length >= 8)
            pthread_cond_wait(&changed, &lock);
        it->next = queue;
        queue = it;
        length++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        if (i >= last)
            it->value = 1; /* too late */
    }
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C
heddle cc -O1 -g -pthread -o server server.c
ask() {
  heddle detect -q --online --json -e race -- ./server "$@" >answer.json
  echo "status $?"
  reused=$(grep -o '"reused_variables": [0-9]*' answer.json | head -1 | cut -d' ' -f2)
  if test "$reused" -gt 9000; then echo "most are used again"; else echo "$reused"; fi
}
ask 4000
ask 4000 race
# A predicate that names a variable keeps all numbers.
heddle detect -q --online --json -e 'main.sum > 100000000' -- ./server 500 | grep -o '"reused_variables": [0-9]*' | head -1
heddle detect -q --online -e race -- ./server 4000 race | grep -o 'it#[0-9]*->value in main()' | sed 's/#[0-9]*//' | sort -u

// Loaded while the program runs; it has a thread, too.
#include <pthread.h>

int plugin_run(void);

static int answer;

static void *find(void *unused) {
    answer = 42;
    return unused;
}

int plugin_run(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, find, NULL);
    pthread_join(thread, NULL);
    return answer;
}

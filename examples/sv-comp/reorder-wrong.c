// A writer sets two variables, a reader looks at them in the same order.
// verdict: false
// brute force
#include <pthread.h>

extern void reach_error(void);

int data, ready;

static void *writer(void *unused) {
    data = 1;
    ready = 1;
    return unused;
}

static void *reader(void *unused) {
    int seen_data = data;
    int seen_ready = ready;
    if (seen_ready && !seen_data)
        reach_error();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

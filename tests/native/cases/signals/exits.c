/* truth: right.  One thread exits while another runs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
void *work(void *unused) {
    x++;
    x++;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    x++;
    exit(0);
}

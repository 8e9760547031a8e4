// truth: fails. Each round maps a page, the second where one is already.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int flag;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    while (!flag) {
        void *wanted = (void *)0x5000000000;
        void *got = mmap(wanted, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert(got == wanted);
    }
    pthread_join(other, NULL);
}

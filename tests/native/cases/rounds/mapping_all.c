// truth: fails. Each round maps much memory, until there is no room.
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
        int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void *got = mmap(NULL, (size_t)1 << 44, PROT_NONE, how, -1, 0);
        assert(got != MAP_FAILED);
    }
    pthread_join(other, NULL);
}

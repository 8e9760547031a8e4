// A lock held for reading is taken for reading again while a writer may wait.  The lock that
// prefers writers lets no reader in then: nobody goes on.
//@ shaky threads:writers
//@ outcomes 0:0,0
#include <pthread.h>
#include <stdio.h>

pthread_rwlock_t lock;

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &kind);
    pthread_create(&thread, NULL, writer, NULL);
    int first = pthread_rwlock_rdlock(&lock);
    int second = pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d,%d", first, second);
    return 0;
}

// truth: right. As whom files are accessed is a thread's own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/fsuid.h>
#include <unistd.h>

static atomic_int steps;

static void *change(void *unused) {
    setfsuid(65534);
    setfsgid(65534);
    steps++;
    assert(geteuid() || (setfsuid(-1) == 65534 && setfsgid(-1) == 65534));
    return unused;
}

int main(void) {
    pthread_t other;
    int user = setfsuid(-1), group = setfsgid(-1);
    pthread_create(&other, NULL, change, NULL);
    steps++;
    assert(setfsuid(-1) == user && setfsgid(-1) == group);
    pthread_join(other, NULL);
    assert(setfsuid(-1) == user && setfsgid(-1) == group);
}

# A round of a loop that adds a destructor for the end of its thread does not leave the thread as it
# was, whoever keeps the list.
cat >destructors.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module);
extern void *__dso_handle;
static atomic_int flag;
static int ended;
static void end(void *unused) {
    (void)unused;
    assert(++ended < 3);
}
static void *wait(void *unused) {
    while (!flag)
        __cxa_thread_atexit_impl(end, 0, &__dso_handle);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, wait, 0);
    flag = 1;
    pthread_join(other, 0);
}
END
heddle cc -o destructors destructors.c
for reset in memory fork; do
    heddle explore --reset=$reset ./destructors | head -1
done

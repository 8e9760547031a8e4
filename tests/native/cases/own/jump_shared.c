// Two threads set one buffer for jumps: a data race.
#include <pthread.h>
#include <setjmp.h>

#ifdef SIGNALS
static sigjmp_buf buffer;
#define SET() sigsetjmp(buffer, 1)
#define JUMP() siglongjmp(buffer, 1)
#else
static jmp_buf buffer;
#define SET() setjmp(buffer)
#define JUMP() longjmp(buffer, 1)
#endif

static void *jump(void *unused) {
    if (SET() == 0 && unused)
        JUMP();
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, jump, NULL);
    pthread_create(&second, NULL, jump, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

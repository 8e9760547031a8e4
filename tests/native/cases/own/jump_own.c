// truth: right. Each thread has its own buffer for jumps, and its own list of arguments.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int sum;

static int last_of(int count, ...) {
    va_list list;
    int last = 0;
    va_start(list, count);
    while (count--)
        last = va_arg(list, int);
    va_end(list);
    return last;
}

static void *jump(void *unused) {
    jmp_buf buffer;
    if (setjmp(buffer) == 0) {
        sum += last_of(2, 7, 1);
        longjmp(buffer, 1);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, jump, NULL);
    pthread_create(&second, NULL, jump, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sum == 2);
}

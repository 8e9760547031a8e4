// The compiler's own names of memset, memcpy and strlen: what it would do with instructions of its
// own is seen as the calls are.
//@ levels 0 1 2
//@ outcomes 0:3,7,2 0:0,7,2 0:3,0,2 0:0,0,2 0:3,7,0 0:0,7,0 0:3,0,0 0:0,0,0
#include <pthread.h>
#include <stdio.h>

static int cleared[5], copied[3];
static const int none[3];
static char text[8] = "ab";
static unsigned long length;

static void *use(void *unused) {
    __builtin_memset(cleared, 0, sizeof cleared);
    __builtin_memcpy(copied, none, sizeof copied);
    length = __builtin_strlen(text);
    return unused;
}

static void *store(void *unused) {
    cleared[1] = 3;
    copied[1] = 7;
    text[0] = '\0';
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, store, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d,%d,%lu", cleared[1], copied[1], length);
    return 0;
}

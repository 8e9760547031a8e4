/* A thread closes a conversion that another one uses. */
#include <iconv.h>
#include <pthread.h>

static iconv_t conversion;

static void *use(void *unused) {
    char text[] = "x", made[8], *from = text, *to = made;
    size_t left = 1, room = sizeof made;
    return iconv(conversion, &from, &left, &to, &room) == 0 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    conversion = iconv_open("UTF-16", "UTF-8");
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    iconv_close(conversion);
#else
    iconv_close(conversion);
    pthread_join(thread, NULL);
#endif
    return 0;
}

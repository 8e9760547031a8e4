/* A thread frees a locale that another one makes its own. */
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>

static locale_t locale;

static void *use(void *unused) {
    return uselocale(locale) ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    freelocale(locale);
#else
    freelocale(locale);
    pthread_join(thread, NULL);
#endif
    return 0;
}

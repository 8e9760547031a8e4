/* Texts that the C library reads to print them, while another thread writes them: by a format, with
 * wide characters, by the place of the argument, whole; and what a scan stores by its place. */
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static char text[16] = "first", result[64];
static wchar_t wide[16] = L"first";
static int number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
#if defined WIDE
    snprintf(result, sizeof result, "%d %ls", 1, wide);
#elif defined WIDE_PRECISE
    snprintf(result, sizeof result, "%.*ls", 3, wide);
#elif defined PLACE
    snprintf(result, sizeof result, "%2$d %1$s", text, 3);
#elif defined PLACE_PRECISE
    snprintf(result, sizeof result, "%3$.*1$s %2$g", 4, 0.5, text);
#elif defined PRINTED
    fprintf(stderr, "%s", text);
#elif defined PUT
    fputs(text, stderr);
#elif defined WRITTEN
    fwrite(text, 1, 4, stderr);
#elif defined SCANNED
    int other;
    sscanf("5 6", "%2$d %1$d", &number, &other);
#else
    snprintf(result, sizeof result, "%s", text);
#endif
}

static void *uses(void *unused) {
#ifdef GOOD
    pthread_mutex_lock(&lock);
    use();
    pthread_mutex_unlock(&lock);
#else
    use();
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, uses, NULL);
    pthread_mutex_lock(&lock);
    text[2] = 'x';
    wide[2] = L'x';
    number = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

/* Texts that the C library reads to print them, while another thread writes them: by a format, with
 * wide characters, by the place of the argument, whole; and what a scan stores by its place.  Of
 * very many arguments, of conversions that heddle does not know, and of wide formats it must say
 * that they are not looked at. */
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static char text[16] = "first", result[64];
static wchar_t wide[16] = L"first";
static int number;
static const char *volatile strange = "%y %s", *volatile binary = "%b %Zd %s";

#define DIGITS "%d%d%d%d%d%d%d%d"
#define LONG_FORMAT DIGITS DIGITS DIGITS DIGITS DIGITS DIGITS DIGITS "%d%d%d%d%d%d%d"
#define FEW 0, 1, 2, 3, 4, 5, 6, 7
#define MANY FEW, FEW, FEW, FEW, FEW, FEW, FEW, 0, 1, 2, 3, 4, 5, 6
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
#elif defined MOST_ARGUMENTS
    snprintf(result, sizeof result, LONG_FORMAT "%s", MANY, text);
#elif defined MORE_ARGUMENTS
    snprintf(result, sizeof result, LONG_FORMAT "%d%s", MANY, 9, text);
#elif defined BINARY
    snprintf(result, sizeof result, binary, 5, (size_t)6, text);
#elif defined STRANGE
    fprintf(stderr, strange, text);
#elif defined WIDE_FORMAT
    fwprintf(stderr, L"%s", text);
#elif defined WIDE_OUTPUT
    wprintf(L"%s", text);
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

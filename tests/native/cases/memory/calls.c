// Blocks that functions of the C library use wrongly, one way at a time, in every schedule; and
// with -DGOOD the same program that is right.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 8 };

static char *block, *freed;

#ifdef GOOD
enum { MORE = 0 };
#else
enum { MORE = 1 };
#endif

static void *use(void *unused) {
    const char *text = freed;
#if defined SNPRINTF
    snprintf(block, SIZE + MORE, "%s", "123456789");
#elif defined SPRINTF
    sprintf(block, "%0*d", SIZE - 1 + MORE, 5);
#elif defined READ
    int file = open("/dev/zero", O_RDONLY);
    if (read(file, block, SIZE + MORE) < 0)
        abort();
    close(file);
#elif defined FWRITE
    fwrite(block, 1, SIZE + MORE, stdout);
#elif defined NOT_ENDED
    memset(block, 'a', SIZE);
    printf("%.*s\n", SIZE + MORE, block);
#elif defined PRINTF
    printf("%d %-9s\n", 5, text);
#elif defined PRINTED
    char line[32];
    snprintf(line, sizeof line, "%.2f %s", 0.5, text);
#elif defined PUTS
    puts(text);
#elif defined FPUTS
    fputs(text, stdout);
#endif
    return text ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    block = calloc(1, SIZE);
    freed = strdup("abc");
#ifndef GOOD
    free(freed);
#endif
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    free(block);
    return 0;
}

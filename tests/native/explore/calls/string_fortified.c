// What fortified headers call instead of strcat reads and writes as strcat does.
//@ outcomes 0:aa 0:bb 0:aabb 0:bbaa
#include <pthread.h>
#include <stdio.h>

extern char *__strcat_chk(char *to, const char *from, size_t room);

char text[16];

static void *add(void *what) {
    __strcat_chk(text, what, sizeof text);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, "aa");
    pthread_create(&b, NULL, add, "bb");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%s", text);
    return 0;
}

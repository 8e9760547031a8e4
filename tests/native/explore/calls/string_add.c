// strcat reads how long the text is, then writes; strcpy reads a text, then writes it.
//@ levels 0 2
//@ outcomes 0:aa, 0:bb, 0:aabb, 0:bbaa, 0:aabb,aa
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char text[16], copy[16];

static void *add_a(void *unused) {
    strcat(text, "aa");
    return unused;
}

static void *add_b(void *unused) {
    strcpy(copy, text);
    strcat(text, "bb");
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add_a, NULL);
    pthread_create(&b, NULL, add_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%s,%s", text, copy);
    return 0;
}

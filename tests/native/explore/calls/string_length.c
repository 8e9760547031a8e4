// Calls of string.h that read: what they return is made of what they read at their steps.
//@ levels 0 2
//@ outcomes 0:1,0,0,0 0:2,1,1,1 0:1,1,1,1 0:1,0,1,1 0:1,0,0,1
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char text[8] = "a";
int length, same, found, equal;

static void *look(void *unused) {
    length = (int)strlen(text);
    same = strcmp(text, "ab") == 0;
    found = strchr(text, 'b') != NULL;
    equal = memcmp(text, "ab", 2) == 0;
    return unused;
}

static void *change(void *unused) {
    text[1] = 'b';
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d,%d,%d,%d", length, same, found, equal);
    return 0;
}

// %ls: texts of wide characters are read like others.
//@ levels 0 2
//@ outcomes 0:ab 0:ay 0:xb 0:xy
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

wchar_t first[8] = L"a", second[8] = L"b";
char result[16];

static void *print(void *unused) {
    snprintf(result, sizeof result, "%ls%.3ls", first, second);
    return unused;
}

static void *change(void *unused) {
    first[0] = L'x';
    second[0] = L'y';
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, print, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%s", result);
    return 0;
}

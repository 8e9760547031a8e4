/* memcpy, memset and strings are accesses, with their values. */
//@ lines .*[$].*  0
//@ free
//@ output hello world 6
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[32], copy[32];
static int table[4], other[4];
static struct pair { long a, b; } first = {1, 2}, second;

int main(void) {
    strcpy(text, "hello");
    strcat(text, " world");
    memcpy(copy, text, sizeof copy);
    table[0] = 1;
    table[3] = 5;
    memmove(other, table, sizeof other);
    memset(table, 0, sizeof table);
    second = first;
    assert(second.b == 2 && memcmp(&first, &second, sizeof first) == 0);
    assert(strlen(copy) == 11 && strcmp(copy, text) == 0 && strchr(copy, 'w') == copy + 6);
    printf("%s %d\n", copy, other[0] + other[3] + table[3]);
    return 0;
}

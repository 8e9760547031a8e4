/* No second process under control. */
//@ output refused
//@ stderr fork is refused
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int x;

int main(void) {
    x = 1;
    if (fork() == -1 && errno == ENOSYS && system("true") == -1)
        puts("refused");
    return 0;
}

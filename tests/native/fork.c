/* No second process under control. */
//@ output refused
//@ stderr fork is refused
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int x;

int main(void) {
    x = 1;
    pid_t child;
    char *words[] = {"true", NULL};
    if (fork() == -1 && errno == ENOSYS && vfork() == -1 && system("true") == -1 &&
        execlp("true", "true", NULL) == -1 && execvp("true", words) == -1 &&
        posix_spawnp(&child, "true", NULL, NULL, words, NULL) == ENOSYS &&
        popen("true", "r") == NULL)
        puts("refused");
    return 0;
}

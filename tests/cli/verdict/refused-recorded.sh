# Calls that were refused while a program was recorded: its trace knows of them.
cat >prog.c <<END
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int x;
static void *other(void *unused) {
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    if (argc > 1 && argv[1][0] == 'f' && fork() == 0)
        _exit(0);
    if (argc > 1 && argv[1][0] == 'e')
        execl("/bin/true", "true", (char *)0);
    if (argc > 1 && argv[1][0] == 'd' && daemon(1, 1))
        x = 1;
    if (argc > 1 && argv[1][0] == 's' && system("true"))
        x = 1;
    pthread_join(thread, 0);
    return 0;
}
END
heddle cc -g -o prog prog.c -pthread
for how in none fork exec daemon system; do
    heddle record -q -o run.htr ./prog $how 2>said; echo "$how: recorded $?"
    heddle convert -q run.htr - --to=text | grep -e doubt
    heddle race -q run.htr >out; echo "race $?"
    heddle race -q --accept=refused-calls run.htr >out; echo "accepted $?"
    heddle detect --online -q -e 'count(x)>3' ./prog $how >out 2>said; echo "online $?"
    grep -o -e 'shaky.*' out
done

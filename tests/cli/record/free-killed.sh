# A free program that SIGKILL ends has ended by that, within the limit on time.
cat >killed.c <<END
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void *other(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    kill(getpid(), SIGKILL);
    return 0;
}
END
heddle cc -O1 -g -o killed killed.c
heddle record --free --time=1 -o run.htr ./killed; echo "status $?"
heddle convert -q run.htr - --to=text | grep ended

# A program that kills its parent, which is the guard between heddle and the program: what it did
# until then is saved, and the end is told.
cat >prog.c <<END
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    kill(getppid(), SIGKILL);
    for (;;)
        add(0);
}
END
heddle cc -g -o prog prog.c -pthread
for i in 1 2 3; do
    rm -f run.htr
    heddle record -q --free -o run.htr ./prog; echo "recorded: $?"
    heddle info --json run.htr 2>said | jq -c '.result.events > 300'
done

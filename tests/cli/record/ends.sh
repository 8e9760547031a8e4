# How a run ended is in its record, however it is saved.
# In make test-long only.
cat > ends.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int x;
static void *other(void *none) {
    sem_wait(&s);
    return none;
}
int main(int argc, char **argv) {
    pthread_t thread;
    x = argc, sem_init(&s, 0, 0);
    if (argv[1][0] == 'e')
        return 3;
    if (argv[1][0] == 'a')
        abort();
    if (argv[1][0] == 'x')
        execl("/bin/true", "true", (char *)0);
    if (argv[1][0] == 'l')
        for (;;)
            x++;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a);
    if (argv[1][0] == 'c')
        pthread_cond_wait(&c, &a);
    if (argv[1][0] == 's')
        pthread_mutex_lock(&a);
    pthread_join(thread, 0);
    return 0;
}
END
heddle cc -O1 -g -o ends ends.c
for how in e a c s j; do
    for file in run.htr run.std; do
        heddle record -q -o $file ./ends $how > out 2>&1
        heddle convert -q $file - --to=text | grep '# heddle: ' > $file.end
    done
    cmp run.htr.end run.std.end && cat run.htr.end
done
heddle deadlock run.htr > out; echo "status $?"
heddle record -q --free -o run.htr ./ends e; heddle convert -q run.htr - --to=text | grep ended
heddle record -q --free -o run.htr ./ends x; heddle convert -q run.htr - --to=text | grep ended
heddle record -q --timeout=1 -o run.htr ./ends l > out 2>&1; heddle convert -q run.htr - --to=text | grep ended
heddle record -q -o run.htr ./ends l > out 2>&1 & sleep 0.4; kill -TERM $!; wait
heddle convert -q run.htr - --to=text | grep ended
# A file that was cut off says nothing about the end.
heddle record -q -o run.htr ./ends s > out 2>&1
head -c -20 run.htr > cut.htr
heddle convert -q --recover cut.htr - --to=text | grep -e ended -e incomplete
head -c -100 run.htr > cut.htr
heddle convert -q --recover cut.htr - --to=text | grep -e ended -e incomplete

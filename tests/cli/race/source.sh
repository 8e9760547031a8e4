# A source is compiled first; what was found is replayed from the source again.
cat >both.c <<END
#include <pthread.h>
int x;
static void *work(void *unused) { x = 1; return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    x = 2;
    pthread_join(a, NULL);
    return 0;
}
END
heddle race -o race.std both.c | grep -e ' with ' -e '^data race' -e replay
heddle replay both.c race.std | tail -1
heddle deadlock both.c | head -1
printf 'int main(void) {\n' >bad.c
heddle race bad.c 2>&1 | tail -1

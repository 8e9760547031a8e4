# A run that heddle stops at a failure is cut off: no race after it was looked at.  A program that
# aborts, crashes or fails by itself has come to its end.
# In make test-long only.
cat >stops.c <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static char *block;
static void *work(void *unused) {
#if defined OVERFLOW
    block[8] = 1;
#elif defined UNLOCK
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_unlock(&mutex);
#elif defined ABORT
    abort();
#elif defined CRASH
    *(volatile char *)16 = 1;
#else
    exit(4);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    block = malloc(8);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    free(block);
}
EOF
for how in OVERFLOW UNLOCK ABORT CRASH EXIT; do
    heddle cc -g -D$how -o stops stops.c
    for question in race deadlock; do
        heddle $question --json ./stops 2>/dev/null
        echo "\"$how: $question: status $?\""
    done
done | jq -r '. as $answer | "\(input) \($answer | [.complete, .verdict.why_not[]] | tojson)"'
# What is found is found.
cat >both.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static char *block;
static int shared;
static void *work(void *unused) {
    shared = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    block = malloc(8);
    pthread_create(&thread, NULL, work, NULL);
    shared = 2;
    pthread_join(thread, NULL);
    block[8] = 1;
}
EOF
heddle cc -g -o both both.c
heddle race --json ./both 2>/dev/null >answer
echo "both: status $? $(jq -c '[.result.races]' answer)"

# A run that ends in a deadlock has not come to its end: that is said, and is no clean answer.
cat >stuck.c <<'EOF'
#include <heddle/mark.h>
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *other(void *unused) {
    pthread_mutex_lock(&second);
    HEDDLE_MARK("held");
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
}
EOF
heddle cc -I$ROOT/include -O1 -o stuck stuck.c
heddle detect --online -e 'count(held) > 1' -- ./stuck
echo "status $?"
heddle detect --online --json -e 'count(held) > 1' -- ./stuck |
    jq -c '[.complete, .verdict.why_not[].code, .result.found, .result.ending]'
# What was found wins.
heddle detect --online -e 'count(held) > 0' -- ./stuck >found
echo "status $?"
# So has one that becomes another program.
printf '#include <unistd.h>\nint main(void) { execl("/bin/true", "true", NULL); }\n' >other.c
heddle cc -o other other.c
heddle detect --online --free -e 'count(held) > 0' -- ./other
echo "status $?"

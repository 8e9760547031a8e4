# Threads that count in common memory and never end: the first run, in which it is not known that
# they share it, is cut off, so the race is found, and without races the answer says what is cut.
# In make test-long only.
cat >counts.c <<'EOF'
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
static long count;
static void *run(void *none) {
    for (;;) {
        uselocale((locale_t)0);
        count++;
    }
    return none;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
EOF
heddle cc -g -O1 -o counts counts.c
# A busy machine needs longer.
for time in 1 4 16; do
    found=$(timeout 60 heddle explore -q --json --stop=first --time=$time ./counts | jq -c '.findings[0].variable')
    [ "$found" = null ] || break
done
echo "$found"
for time in 1 4 16; do
    cut=$(timeout 60 heddle explore -q --json --no-race --depth=100 --time=$time ./counts |
        jq -c '[.verdict.why_not[].text] | index("executions were cut off at the limit on steps") != null')
    [ "$cut" = false ] || break
done
echo "$cut"

# Programs: output, marks and ends that depend on the schedule; blocks of any order.
cat >p.c <<'END'
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, last;
static void *work(void *number) {
    pthread_mutex_lock(&lock);
    last = *(int *)number;
    sum += last;
    pthread_mutex_unlock(&lock);
    BLOCK printf("worker %d\n", *(int *)number);
    return NULL;
}
int main(int count, char **words) {
    int numbers[] = {1, 2};
    pthread_t threads[2];
    puts("begin");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (count > 1 && *words[1] == 'm')
        heddle_note("last", last);
    return count > 1 && *words[1] == 's' ? last : 0;
}
END
heddle cc -DBLOCK= -o ordered p.c
heddle cc -DBLOCK=HEDDLE_ANY_ORDER -o any p.c
ask() {
    heddle nondet --json -q -o w.std "$@" >a.json
    echo "\"status $?\"" | cat - a.json
}
shown() { jq -r 'if type == "string" then . else [.complete, .result.same, .result.parts.at, (.findings | length)] | tojson end'; }
{
    ask ./ordered
    ask ./any
    ask ./any mark
    ask ./any status
} | shown
heddle replay -q ./any w.std.2 status | tail -1
{
    ask --executions=1 ./any
    ask --all ./any status
} | shown
heddle nondet ./any | head -1
heddle nondet --paper ./any
echo "status $?"
heddle nondet --executions=3 none.std
echo "status $?"
heddle nondet none.std word
echo "status $?"
heddle nondet -o - ./any
echo "status $?"

# Marks, output and reads that are declared as meant are left out, and the answer says so.
cat >meant.c <<'C'
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, turn;
static __attribute__((noinline)) void log_line(int own) {
    printf("thread %d\n", own);
}
static void *work(void *argument) {
    int own = (int)(size_t)argument;
    log_line(own);
    pthread_mutex_lock(&lock);
    sum += own;
    heddle_note("turn", turn++);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)(size_t)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("sum %d\n", sum);
    return 0;
}
C
heddle cc -O1 -g -pthread -o meant meant.c
show() {
  heddle nondet "$@" >answer
  echo "status $?"
  sed -n '1p; /they part/p; /not compared/p; /asked about/p; /named no/p; /outcomes/,/^$/p' answer
}
ask() {
  printf '%s\n' "$@" >rules
  echo "rules: $*"
  show --suppressions=rules ./meant
}
show ./meant
ask function:log_line
ask variable:turn
ask function:log_line variable:turn
ask file:meant.c:7 variable:turn variable:other race:turn
ask file:meant.c:24 function:work
heddle nondet --suppressions=rules --json ./meant | grep -o '"suppressed": [0-9]*'
heddle record -q -o run.htr ./meant >output
for rule in variable:turn variable:nothing function:work file:meant.c:1?; do
  echo $rule >rules
  echo "rules: $rule"
  show --suppressions=rules run.htr
done
echo 'wrong' >rules
heddle nondet --suppressions=rules ./meant
echo "status $?"
# A checkpoint is of these rules; what was left out before it counts.
printf 'function:log_line\nvariable:turn\n' >rules
heddle nondet -q --suppressions=rules --executions=2 --checkpoint=kept ./meant >answer
echo "status $?"
echo 'variable:sum' >>rules
heddle nondet -q --suppressions=rules --resume=kept ./meant
echo "status $?"
printf 'function:log_line\nvariable:turn\n' >rules
show -q --suppressions=rules --resume=kept ./meant

# A recording that ended in a deadlock: the page of it, and the report, say who waits for what.
cat >prog.c <<END
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return 0;
}
END
heddle cc -g -o prog prog.c -pthread
for seed in $(seq 30); do
    heddle record -q --seed=$seed -o prog.htr ./prog 2>/dev/null
    heddle info prog.htr | grep -q deadlock && break
done
heddle info prog.htr | grep -i deadlock
page() { sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
heddle view --html=trace.html prog.htr
echo "view: status $?"
page trace.html | jq -c '[.command, .trace.incomplete, (.trace.events.thread | length)]'
heddle deadlock --json --html=deadlock.html prog.htr >deadlock.json
echo "deadlock: status $?"
page deadlock.html | jq -c '.findings[] | [.rule, .message]'
heddle view --html=answer.html deadlock.json
echo "view of the answer: status $?"
heddle report deadlock.json | sed 's/([0-9.]* s)/(TIME)/; s/ = [0-9a-fx]* / = NUMBER /'
echo "report: status ${PIPESTATUS[0]}"
heddle report --html=report.html deadlock.json >/dev/null
page report.html | jq -c '.findings[] | [.rule, .message]'

# A program that prints something else when it is explored than when it is recorded: where its
# standard output goes.  check must not call that complete: it says that two answers disagree, and
# which files to send.
cat >sees.c <<END
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *nothing(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    char name[200] = "";
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    nothing(0);
    pthread_join(thread, 0);
    if (readlink("/proc/self/fd/1", name, sizeof name - 1) > 0)
        puts(strstr(name, "memfd:output") ? "recorded" : "explored");
    return 0;
}
END
heddle check --time=20s sees.c >answer
echo "status $?"
head -1 answer
tr -s ' \n' ' ' <answer | grep -o "explore: an error in heddle.*explore.json"
jq -c '[.complete, .verdict.why_not[0].code]' sees.c.heddle/result.json
ls sees.c.heddle

# Prints the system's number of its process: an input that differs from run to run, not a mistake of heddle's.
cat >pid.c <<END
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *count(void *unused) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    char number[32] = "";
    readlink("/proc/self", number, sizeof number - 1);
    printf("%s\n", number);
    return 0;
}
END
heddle cc -O1 pid.c -o pid
heddle check --json ./pid >answer.json
echo "status $?"
jq -c '.verdict.why_not, [.verdict.rests_on[] | select(.trust == "shaky") | [.code, .what]]' answer.json
heddle check --accept=inputs:varying ./pid >answer.txt
echo "status $?"
head -1 answer.txt

# Standard output by other ways: who writes first shows, whatever stream, number or name is used.
cat >ways.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int other;
static FILE *stream;
static void *one(void *unused) {
    const char *word = "a";
    ONE;
    return unused;
}
static void *two(void *unused) {
    const char *word = "b";
    TWO;
    return unused;
}
int main(void) {
    pthread_t a, b;
    dup2(1, 2);
    other = dup(1);
#ifdef NAME
    other = open(NAME, O_WRONLY);
    stream = fopen(NAME, "a");
#endif
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
ask() {
    heddle cc -O1 -w "$@" -o ways ways.c
    heddle nondet -q ./ways 2>/dev/null | head -1
    echo "status ${PIPESTATUS[0]}"
}
ask '-DONE=perror(word)' '-DTWO=perror(word)'
ask '-DONE=psignal(SIGINT,word)' '-DTWO=write(1,word,1)'
ask '-DONE=fputs_unlocked(word,stderr)' '-DTWO=write(other,word,1)'
ask '-DNAME="/proc/self/fd/1"' '-DONE=write(1,word,1)' '-DTWO=write(other,word,1)'
ask '-DNAME="/dev/stdout"' '-DONE=fputs(word,stream),fflush(stream)' '-DTWO=write(2,word,1)'
ask '-DNAME="/dev/null"' '-DONE=fputs(word,stream),fflush(stream)' '-DTWO=write(2,word,1)'
ask '-DONE=pwrite(1,word,1,0)' '-DTWO=pwrite(1,word,1,0)'

/*
 *     moment WHAT END
 *
 * A thread does WHAT after it has called getppid, which tells `hold` to stop it at any instruction
 * of that.  When descriptor 9 can be read, main writes to the same page, and ends the process as
 * END says.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GO = 9, PAGE = 4096 };

/* Not static: the compiler must not see that nobody reads them. */
long fresh[PAGE] __attribute__((aligned(PAGE)));
long used;
pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
char *block[2];
pthread_t threads[2];

static void *nothing(void *unused) {
    return unused;
}

/* Each is done twice, the second time with something new: its code is known then. */

static void page(int time) {
    fresh[time ? 0 : 2 * PAGE / sizeof *fresh] = 22;
}

static void take_lock(int time) {
    pthread_mutex_lock(&lock[time]);
}

static void take_block(int time) {
    block[time] = malloc(24);
}

static void thread(int time) {
    pthread_create(&threads[time], NULL, nothing, NULL);
}

static void again(int time) { /* where it is written is known, too */
    used = time;
    used = 13;
}

static void (*act)(int time);

static void *other(void *unused) {
    void (*chosen)(int) = act;
    used = 11;
    for (int time = 0; time < 2; time++) {
        if (time)
            getppid();
        chosen(time);
    }
    for (;;)
        ; /* steps are never too many */
    return unused;
}

static const struct {
    const char *name;
    void (*act)(int);
} acts[] = {{"page", page},
            {"lock", take_lock},
            {"block", take_block},
            {"thread", thread},
            {"again", again}};

int main(int count, char **words) {
    pthread_t its;
    char byte;
    for (size_t i = 0; count == 3 && i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, words[1]) == 0)
            act = acts[i].act;
    if (!act || pthread_create(&its, NULL, other, NULL) || read(GO, &byte, 1) != 1)
        return 99;
    fresh[1] = 33;
    if (strcmp(words[2], "abort") == 0)
        abort();
    if (strcmp(words[2], "segfault") == 0)
        raise(SIGSEGV);
    if (strcmp(words[2], "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(words[2], "exit") == 0)
        exit(0);
    _exit(0);
}

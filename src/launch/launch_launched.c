/*
 * Programs that were started, and for whom.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "launch_drain.h"

enum { MOST_LAUNCHED = 4096 };

/* The last ones, with who they were started for. */
static struct {
    pthread_mutex_t lock;
    struct launched {
        pid_t process;
        const void *asker;
    } all[MOST_LAUNCHED];
    unsigned count;
} launched = {.lock = PTHREAD_MUTEX_INITIALIZER};

void hd_launch_launched_note(pid_t process) {
    pthread_mutex_lock(&launched.lock);
    launched.all[launched.count++ % MOST_LAUNCHED] = (struct launched){process, hd_worker_asker()};
    pthread_mutex_unlock(&launched.lock);
}

/* Takes one of this asker's out of the list; 0: none is left. */
static pid_t take_launched(void) {
    pid_t process = 0;
    pthread_mutex_lock(&launched.lock);
    for (unsigned i = 0; i < MOST_LAUNCHED && !process; i++)
        if (launched.all[i].process && launched.all[i].asker == hd_worker_asker()) {
            process = launched.all[i].process;
            launched.all[i] = (struct launched){0};
        }
    pthread_mutex_unlock(&launched.lock);
    return process;
}

bool hd_launch_launched_elsewhere(pid_t process) {
    bool found = false;
    pthread_mutex_lock(&launched.lock);
    for (unsigned i = 0; i < MOST_LAUNCHED && !found; i++)
        found = launched.all[i].process == process && launched.all[i].asker != hd_worker_asker();
    pthread_mutex_unlock(&launched.lock);
    return found;
}

void hd_launch_launched_begin(void) {
    while (take_launched())
        ;
}

/* Who has been waited for is no child any more, and is left alone. */
void hd_launch_launched_kill(void) {
    pid_t process;
    while ((process = take_launched()))
        if (waitpid(process, NULL, WNOHANG) == 0) {
            kill(process, SIGKILL);
            while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
                ;
        }
    hd_launch_drain_abandon();
}

/*
 * The native room: which processes wait for ever, or are stopped.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "native_hang.h"
#include "support_few.h"

static void *sleep_in_futex(void *unused) {
    static uint32_t word;
    for (;;)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    return unused;
}

static void *compute(void *unused) {
    for (volatile unsigned i = 0;; i++)
        ;
    return unused;
}

static void *sleep_long(void *unused) {
    for (;;)
        sleep(1000);
    return unused;
}

typedef void *work(void *);

/* In a process whose first thread does the one thing and a second the other. */
static bool is_blocked(work *first, work *second) {
    const struct timespec moment = {.tv_nsec = 20000000};
    pid_t process = fork();
    if (process == 0) {
        pthread_t thread;
        if (second && pthread_create(&thread, NULL, second, NULL))
            _exit(1);
        first(NULL);
    }
    assert_true(process > 0);
    bool blocked = false;
    for (int i = 0; i < 25; i++) { /* it may not have come there yet */
        nanosleep(&moment, NULL);
        blocked = hd_native_hang_is_blocked(process);
    }
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, NULL, 0), process);
    return blocked;
}

static void all_in_futex(void **state) {
    (void)state;
    if (support_emulated()) /* the system sees the emulator's own waits */
        return;
    assert_true(is_blocked(sleep_in_futex, NULL));
    assert_true(is_blocked(sleep_in_futex, sleep_in_futex));
}

/* The first waits for one that has not come to its own wait. */
static void one_goes_on(void **state) {
    (void)state;
    assert_false(is_blocked(sleep_in_futex, compute));
    assert_false(is_blocked(sleep_in_futex, sleep_long));
    assert_false(is_blocked(compute, sleep_in_futex));
    assert_false(is_blocked(sleep_long, NULL));
}

static void nothing_to_see(void **state) {
    (void)state;
    pid_t process = fork();
    if (process == 0)
        _exit(0);
    assert_int_equal(waitpid(process, NULL, 0), process);
    assert_false(hd_native_hang_is_blocked(process));
    assert_false(hd_native_hang_is_stopped(process));
}

/* One that sleeps is not stopped, one that stopped itself is until it is continued. */
static void stopped(void **state) {
    (void)state;
    int status;
    pid_t process = fork();
    if (process == 0) {
        raise(SIGSTOP);
        // cppcheck-suppress unreachableCode ; it is continued
        sleep_long(NULL);
    }
    assert_int_equal(waitpid(process, &status, WUNTRACED), process);
    assert_true(WIFSTOPPED(status));
    assert_true(hd_native_hang_is_stopped(process));
    kill(process, SIGCONT);
    assert_int_equal(waitpid(process, &status, WCONTINUED), process);
    assert_false(hd_native_hang_is_stopped(process));
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, NULL, 0), process);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_in_futex),
        cmocka_unit_test(one_goes_on),
        cmocka_unit_test(nothing_to_see),
        cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

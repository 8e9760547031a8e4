/*
 * The base room: signals that ask the process to end.  Each test is a process of its own, for
 * what a signal did stays.
 */
#include "support_suite.h"
#include "test_base_tools.h"

/* As from waitpid, of a process that does this. */
static int status_of(void (*work)(void)) {
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        for (int number = 1; number < 16; number++)
            if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
                signal(number, SIG_DFL);
        work();
        _exit(99);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_killed(int status, int number) {
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

static void assert_went_on(int status) {
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 99);
}

static void fail_unless(bool good) {
    if (!good)
        _exit(1);
}

/* ---- */

static char written[2 * PATH_MAX]; /* the file that a process was about to write */

static void die_while_writing(void) {
    hd_error error = {""};
    hd_stop_init();
    hd_file *file = hd_file_create(written, &error);
    fail_unless(file != NULL);
    hd_file_write(file, "half", 4);
    raise(SIGTERM);
}

static void nothing_listens(void **state) {
    (void)state;
    const char *where = in_directory("stop");
    assert_int_equal(mkdir(where, 0777), 0);
    snprintf(written, sizeof written, "%s", in_directory("stop/file"));
    assert_killed(status_of(die_while_writing), SIGTERM);
    assert_int_equal(entries_in(where), 0);
}

static void die_in_a_folder(void) {
    const char *folder = in_directory("stop/folder"), *file = in_directory("stop/folder/file");
    hd_stop_init();
    fail_unless(mkdir(folder, 0777) == 0);
    hd_stop_add(folder);
    spill(file, "text");
    hd_stop_add(file);
    raise(SIGHUP);
}

static void folders_are_removed_after_files(void **state) {
    (void)state;
    assert_killed(status_of(die_in_a_folder), SIGHUP);
    assert_int_equal(entries_in(in_directory("stop")), 0);
}

static int by; /* the signal of which a process dies */

static void die_of_another(void) {
    const char *folder = in_directory("stop/folder");
    signal(by, SIG_DFL);
    hd_stop_init();
    hd_stop_listen();
    fail_unless(mkdir(folder, 0777) == 0);
    hd_stop_add(folder);
    raise(by);
}

static void other_signals_leave_nothing(void **state) {
    (void)state;
    const int numbers[] = {SIGPIPE, SIGUSR1,   SIGUSR2, SIGALRM,
                           SIGXCPU, SIGVTALRM, SIGPROF, SIGRTMIN + 3};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        by = numbers[i];
        assert_killed(status_of(die_of_another), by);
        assert_int_equal(entries_in(in_directory("stop")), 0);
    }
}

static void die_with_a_kept_file(void) {
    hd_stop_init();
    hd_stop_add(written);
    hd_stop_remove(written);
    raise(SIGINT);
}

static void what_was_taken_back_stays(void **state) {
    (void)state;
    spill(written, "whole");
    assert_killed(status_of(die_with_a_kept_file), SIGINT);
    assert_content(written, "whole");
    assert_int_equal(unlink(written), 0);
}

static void listen_to_one(void) {
    hd_stop_init();
    hd_stop_listen();
    fail_unless(!hd_stop_asked() && !hd_clock_over() && hd_clock_look() == HD_CLOCK_GOES);
    raise(SIGTERM);
    fail_unless(hd_stop_asked() == SIGTERM && hd_clock_over());
    fail_unless(hd_clock_look() == HD_CLOCK_STOPPED);
    raise(SIGTERM); /* as timeout(1) does, at once */
}

static void the_first_is_noted(void **state) {
    (void)state;
    assert_went_on(status_of(listen_to_one));
}

static void listen_to_two(void) {
    hd_error error = {""};
    hd_stop_init();
    hd_stop_listen();
    raise(SIGTERM);
    fail_unless(hd_file_create(written, &error) != NULL);
    raise(SIGINT);
}

static void listen_to_late_echo(void) {
    hd_stop_init();
    hd_stop_listen();
    raise(SIGTERM);
    usleep(300000);
    raise(SIGTERM);
}

static void the_second_ends_it(void **state) {
    (void)state;
    assert_killed(status_of(listen_to_two), SIGINT);
    assert_int_equal(entries_in(in_directory("stop")), 0);
    assert_killed(status_of(listen_to_late_echo), SIGTERM);
}

static void ignore_hangup(void) {
    signal(SIGHUP, SIG_IGN);
    hd_stop_init();
    hd_stop_listen();
    raise(SIGHUP);
    fail_unless(!hd_stop_asked());
}

static void what_was_ignored_stays_so(void **state) {
    (void)state;
    assert_went_on(status_of(ignore_hangup));
}

/* A child that did not become another program dies of a signal, and what its parent is writing is
 * none of its business. */
static void fork_and_signal(void) {
    hd_error error = {""};
    hd_stop_init();
    hd_file *file = hd_file_create(written, &error);
    pid_t child = fork();
    if (child == 0)
        raise(SIGTERM);
    fail_unless(waitpid(child, NULL, 0) == child);
    fail_unless(hd_file_commit(file, &error));
}

static void children_remove_nothing(void **state) {
    (void)state;
    assert_went_on(status_of(fork_and_signal));
    assert_int_equal(entries_in(in_directory("stop")), 1);
}

SUPPORT_SUITE(test_base_stop) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_listens),
        cmocka_unit_test(folders_are_removed_after_files),
        cmocka_unit_test(other_signals_leave_nothing),
        cmocka_unit_test(what_was_taken_back_stays),
        cmocka_unit_test(the_first_is_noted),
        cmocka_unit_test(the_second_ends_it),
        cmocka_unit_test(what_was_ignored_stays_so),
        cmocka_unit_test(children_remove_nothing),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

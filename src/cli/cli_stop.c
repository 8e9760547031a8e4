/*
 * Ctrl-C: what takes long ends early, and what was found so far is printed.  A second
 * one ends the program as ever.
 */
#include <signal.h>

#include "cli.h"

static volatile int stop;

static void note(int number) {
    stop = 1;
    signal(number, SIG_DFL);
}

const volatile int *hd_cli_stop(void) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    return &stop;
}

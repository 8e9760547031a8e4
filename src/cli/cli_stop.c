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

void hd_cli_stop_at(int number) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

const volatile int *hd_cli_stop(void) {
    hd_cli_stop_at(SIGINT);
    return &stop;
}

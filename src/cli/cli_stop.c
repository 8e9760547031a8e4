/*
 * Commands whose work looks at a flag: base_stop.h has what the signals do.
 */
#include "cli.h"

const volatile int *hd_cli_stop(void) {
    hd_stop_listen();
    return &hd_stop_number;
}

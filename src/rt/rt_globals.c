/*
 * Variables of the C library that programs access by name, and that its functions access too:
 * optind, environ, tzname.  Where the program is linked so that it has a copy, the library uses
 * that copy.
 */
#include <dlfcn.h>

#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_string.h"

static struct {
    const char *name;
    size_t size;
    uintptr_t at; /* 0: there is none */
} variables[] = {{"optind", 4, 0},
                 {"optarg", 8, 0},
                 {"optopt", 4, 0},
                 {"opterr", 4, 0},
                 {"environ", 8, 0},
                 {"tzname", 16, 0},
                 {"timezone", 8, 0},
                 {"daylight", 4, 0},
                 {"getdate_err", 4, 0},
                 {"signgam", 4, 0},
                 {"program_invocation_name", 8, 0},
                 {"program_invocation_short_name", 8, 0},
                 {"error_message_count", 4, 0},
                 {"error_one_per_line", 4, 0},
                 {"error_print_progname", 8, 0},
                 {"stdin", 8, 0},
                 {"stdout", 8, 0},
                 {"stderr", 8, 0}};

void hd_rt_globals_find(void) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        variables[i].at = (uintptr_t)hd_rt_real.dlsym(RTLD_DEFAULT, variables[i].name);
}

uintptr_t hd_rt_global(const char *name, size_t length, size_t *size) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (hd_rt_starts(variables[i].name, name, length) && !variables[i].name[length]) {
            *size = variables[i].size;
            return variables[i].at;
        }
    *size = 0;
    return 0; /* tests make sure that there is none */
}

bool hd_rt_global_at(uintptr_t address) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (address + 7 >= variables[i].at && address < variables[i].at + variables[i].size)
            return true;
    return false;
}

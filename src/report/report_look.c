/*
 * What fits the terminal.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report_result.h"

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 24, MOST_WIDTH = 160 };

static unsigned width_of(FILE *to) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t number = 0;
    if (isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col)
        number = size.ws_col;
    else if (!columns || !hd_text_u64(columns, strlen(columns), &number) || !number)
        number = USUAL_WIDTH;
    return number < LEAST_WIDTH ? LEAST_WIDTH : number > MOST_WIDTH ? MOST_WIDTH : (unsigned)number;
}

void hd_report_look_init(hd_report_look *look, FILE *to) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    *look = (hd_report_look){0};
    look->width = width_of(to);
    look->colour = isatty(fileno(to)) && !(none && *none) && term && strcmp(term, "dumb") != 0;
}

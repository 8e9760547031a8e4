#include "cli_verdict.h"

#include <stdlib.h>
#include <string.h>

/* ---- --accept ---- */

/* The row, or -1 if the command has none. */
static int accept_row(const hd_cli_arguments *arguments) {
    const hd_cli_option *options = hd_cli_options(arguments->command);
    for (int row = 0; options[row].name; row++)
        if (strcmp(options[row].name, "accept") == 0)
            return row;
    return -1;
}

bool hd_cli_verdict_read(const hd_cli_arguments *arguments) {
    hd_error error = {""};
    int row = accept_row(arguments);
    size_t at = 0;
    const char *list;
    while (row >= 0 && (list = hd_cli_next(arguments, row, &at)))
        if (!hd_verdict_accept_check(list, &error)) {
            hd_cli_usage(arguments, "--accept: %s; 'heddle help verdict' lists them", error.text);
            return false;
        }
    return true;
}

char *hd_cli_verdict_accepted(const hd_cli_arguments *arguments) {
    hd_vec_char all = {0};
    int row = accept_row(arguments);
    size_t at = 0;
    const char *list;
    while (row >= 0 && (list = hd_cli_next(arguments, row, &at))) {
        for (; *list; list++)
            hd_vec_push(&all, *list);
        hd_vec_push(&all, ',');
    }
    if (all.length)
        all.data[all.length - 1] = '\0';
    return all.data;
}

/* Whatever was done when the signal came, and whether it knows: not all of it was. */
static void interrupted(hd_verdict *verdict) {
    if (hd_stop_asked() && !hd_verdict_lacks(verdict, "interrupted"))
        hd_verdict_not(verdict, "interrupted", "ended by %s before all was looked at",
                       hd_stop_name(hd_stop_asked()));
}

void hd_cli_verdict_end(hd_verdict *verdict, const hd_cli_arguments *arguments, bool found) {
    hd_error error = {""};
    int row = accept_row(arguments);
    size_t at = 0;
    const char *list;
    verdict->found = found;
    interrupted(verdict);
    while (row >= 0 && (list = hd_cli_next(arguments, row, &at)))
        hd_verdict_accept(verdict, list, &error); /* was checked before the work began */
}

/* ---- Text ---- */

void hd_cli_verdict_print(const hd_verdict *verdict, int width) {
    hd_vec_char text = {0};
    hd_verdict_print(verdict, width, &text);
    fwrite(text.data, 1, text.length, stdout);
    hd_vec_release(&text);
}

const char *hd_cli_verdict_proviso(const hd_verdict *verdict) {
    return hd_verdict_shaky(verdict) ? ", if what this rests on holds" : "";
}

void hd_cli_verdict_help(FILE *to) {
    fputs("Every answer has a verdict: what was asked, whether it was found, whether the search\n"
          "was complete, and the assumptions that the answer rests on.  An assumption is firm\n"
          "if it is part of the question or was checked; shaky if heddle saw that it may not\n"
          "hold.\n\n"
          "Exit status of every command that answers a question:\n"
          "  0  nothing found, the search complete, and no assumption shaky\n"
          "  1  something found, however the search ended\n"
          "  2  bad usage or input\n"
          "  3  nothing found, but the search not complete, or an assumption shaky\n\n"
          "--accept=CODE[:WHAT],... accepts shaky assumptions.  A CODE alone accepts all with\n"
          "that code; library:WHAT is short for unseen-code:WHAT.\n\nCodes of assumptions:\n",
          to);
    for (const hd_verdict_code *code = hd_verdict_codes(); code->name; code++)
        fprintf(to, "  %-15s %s\n", code->name, code->about);
    fputs("\nCodes of reasons why a search is not complete (these cannot be accepted):\n", to);
    for (const hd_verdict_code *code = hd_verdict_reasons(); code->name; code++)
        fprintf(to, "  %-15s %s\n", code->name, code->about);
}

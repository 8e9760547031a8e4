#include "cli_ask.h"

#include <stdlib.h>
#include <string.h>

#include "cli_verdict.h"

bool hd_cli_ask(const hd_cli_arguments *arguments, const hd_engine_question *question,
                hd_error *error) {
    hd_engine_question asked = *question;
    hd_engine_answer answer;
    char *accepted = hd_cli_verdict_accepted(arguments);
    asked.accept = accepted;
    asked.logs = true;
    bool good = hd_engine_ask(&asked, &answer, error);
    hd_engine_answer_release(&answer);
    free(accepted);
    return good;
}

/*
 * Asks libheddle a question and prints the findings, one line each, then the verdict.
 *
 *     cc explore.c -o explore $(pkg-config --cflags --libs heddle)
 *     ./explore explore PROGRAM|MODEL     ./explore race TRACE     ./explore check FILE FOLDER
 *     ./explore test SOURCE FOLDER
 *
 * The exit status is that of the question: 0 nothing found and complete, 1 found, 2 bad input,
 * 3 nothing found but that is no proof.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/ask.h>

/* Called as soon as a finding is proved. */
static int found(void *context, const heddle_finding *finding) {
    size_t *count = context;
    ++*count;
    printf("%s", finding->rule);
    for (size_t i = 0; i < finding->place_count; i++)
        if (finding->places[i].file)
            printf(" %s:%u", finding->places[i].file, finding->places[i].line);
    printf(": %s (%zu steps)\n", finding->message, finding->step_count);
    return 0;
}

static const char *const ends[] = {"proved", "fails as declared", "fails as known", "failed",
                                   "not complete"};

static int what_of(const char *name, enum heddle_what *what) {
    static const char *const names[] = {"race",   "deadlock", "nondet", "states",
                                        "detect", "explore",  "replay", "check",
                                        "record", "test"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *what = (enum heddle_what)i;
            return 1;
        }
    return 0;
}

int main(int argc, char **argv) {
    enum heddle_what what = HEDDLE_EXPLORE;
    heddle_error error = {""};
    size_t count = 0;
    if (argc < 3 || !what_of(argv[1], &what)) {
        fprintf(stderr, "usage: explore QUESTION FILE [PREDICATE|WITNESS|FOLDER]\n");
        return 2;
    }
    heddle_question question = HEDDLE_QUESTION(what, argv[2]);
    question.found = found;
    question.context = &count;
    question.seconds = 60;
    if (argc > 3 && what == HEDDLE_DETECT)
        question.predicate = argv[3];
    else if (argc > 3 && what == HEDDLE_REPLAY)
        question.witness = argv[3];
    else if (argc > 3)
        question.output = argv[3];
    heddle_answer *answer = heddle_ask(&question, &error);
    if (!answer) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    printf("%s: %zu found, %s\n", heddle_answer_asked(answer), count,
           heddle_answer_complete(answer) ? "complete" : "not complete");
    for (size_t i = 0; i < heddle_answer_tests(answer); i++) {
        const heddle_test_result *test = heddle_answer_test(answer, i);
        printf("  %s: %s\n", test->name, ends[test->end]);
    }
    for (size_t i = 0; i < heddle_answer_reasons(answer); i++)
        printf("  why not: %s\n", heddle_answer_reason(answer, i)->text);
    int status = heddle_answer_status(answer);
    heddle_answer_free(answer);
    return status;
}

/*
 * Several questions at the same time: threads of one process ask different questions about
 * different things, again and again, and each must get the answer that it gets alone.
 *
 *     together ROUNDS ROOT PROGRAM FOLDER
 *
 * PROGRAM is a file of FOLDER, or - for none: questions about programs start them by a clone that
 * shares memory, which TSan does not understand.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ask.h>

enum { MOST = 16, TEXT = 1100 };

static struct asked {
    heddle_question question;
    char alone[TEXT];
} asked[MOST];
static int count, rounds;

/* What a question is told, in one line: the status, and the first finding. */
static void tell(const heddle_question *question, char *to) {
    heddle_error error = {""};
    heddle_answer *answer = heddle_ask(question, &error);
    if (!answer) {
        snprintf(to, TEXT, "error: %s", error.text);
        return;
    }
    size_t findings = heddle_answer_findings(answer);
    const heddle_finding *first = findings ? heddle_answer_finding(answer, 0) : NULL;
    snprintf(to, TEXT, "%s: status %d, %s, found %d: %s", heddle_answer_asked(answer),
             heddle_answer_status(answer),
             heddle_answer_complete(answer) ? "complete" : "not complete", findings > 0,
             first ? first->rule : "nothing");
    heddle_answer_free(answer);
}

static void *ask_again(void *context) {
    const struct asked *one = context;
    char text[TEXT];
    for (int i = 0; i < rounds; i++) {
        tell(&one->question, text);
        if (strcmp(text, one->alone) != 0) {
            fprintf(stderr, "%s: alone '%s', together '%s'\n", one->question.path, one->alone,
                    text);
            exit(1);
        }
    }
    return NULL;
}

static heddle_question *add(enum heddle_what what, const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    snprintf(path, size, "%s/%s", folder, name);
    asked[count].question = (heddle_question)HEDDLE_QUESTION(what, path);
    return &asked[count++].question;
}

static void fill(const char *root, const char *folder, const char *program) {
    add(HEDDLE_EXPLORE, root, "examples/models/peterson-broken.hdm");
    add(HEDDLE_EXPLORE, root, "examples/models/peterson.hdm")->threads = 2;
    add(HEDDLE_RACE, root, "examples/race/hidden.std");
    add(HEDDLE_DEADLOCK, root, "examples/race/philosophers.std");
    add(HEDDLE_NONDET, root, "examples/nondet/figure1.std");
    add(HEDDLE_STATES, root, "examples/bank/bank.std")->threads = 2;
    add(HEDDLE_DETECT, root, "examples/detect/bank.std")->predicate = "count(transfer) > 2";
    add(HEDDLE_RACE, root, "no-such-file");
    if (strcmp(program, "-") == 0)
        return;
    add(HEDDLE_EXPLORE, folder, program);
    add(HEDDLE_DEADLOCK, folder, program)->seeds = 2;
    add(HEDDLE_RACE, folder, program)->seeds = 2;
    add(HEDDLE_RECORD, folder, program)->output = "together.htr";
    add(HEDDLE_EXPLORE, folder, program)->first = true;
    add(HEDDLE_EXPLORE, root, "examples/deadlocks/transfer.c");
}

int main(int argc, char **argv) {
    pthread_t threads[MOST];
    if (argc != 5)
        return 2;
    // NOLINTNEXTLINE(cert-err34-c): tests/api/run gives the number
    rounds = atoi(argv[1]);
    fill(argv[2], argv[4], argv[3]);
    for (int i = 0; i < count; i++)
        tell(&asked[i].question, asked[i].alone);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, ask_again, &asked[i]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++)
        puts(asked[i].alone);
    printf("%d threads asked %d times: the same answers\n", count, rounds);
    return 0;
}

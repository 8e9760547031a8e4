/*
 * heddle race and heddle deadlock on a program: from its options to what is printed.
 */
#ifndef HD_CLI_DRIVE_H
#define HD_CLI_DRIVE_H

#include "cli_model.h"
#include "cli_race.h"
#include "drive/drive.h"

typedef struct hd_cli_drive {
    const hd_cli_arguments *arguments;
    hd_drive_options options;
    hd_finding_filter filter;
    const char *output; /* -o; NULL if not given */
    hd_cli_page page;
    bool deadlocks; /* not races */
    bool summary;   /* counts only */
    hd_machine *machine;
    hd_drive_result result;
    bool *dropped; /* [found]: suppressed, or not new */
    size_t shown;  /* findings that are not */
    hd_verdict verdict;
} hd_cli_drive;

/* Reads the options that both commands have, runs the program of the arguments with them and
 * with what is set in `drive`: which question, and the stages; the exit status. */
int hd_cli_drive_run(hd_cli_drive *drive);

/* One thing that was found: its schedule again, as a trace. */
typedef struct hd_cli_driven {
    const hd_drive_found *found;
    hd_trace trace;
    hd_vec_u32 events;   /* what it is about: the two accesses, the acquires */
    hd_vec_u32 schedule; /* what comes before them */
    char *functions[2];
    char *stacks[2]; /* of the accesses, lines; "" if there are none */
    char *variable;  /* NULL: of a deadlock */
    uint64_t former; /* fingerprint of earlier versions */
} hd_cli_driven;

bool hd_cli_driven_make(hd_cli_driven *driven, const hd_cli_drive *drive, size_t i,
                        hd_error *error);
void hd_cli_driven_release(hd_cli_driven *driven);

/* What its places and its fingerprint are made of. */
hd_engine_shown hd_cli_driven_shown(const hd_cli_drive *drive, const hd_cli_driven *driven);

/* Text, and JSON. */
void hd_cli_drive_print(const hd_cli_drive *drive);
void hd_cli_drive_print_found(const hd_cli_drive *drive, const hd_cli_driven *driven, size_t i);
void hd_cli_drive_print_unproved(const hd_cli_drive *drive);
void hd_cli_drive_write_result(const hd_cli_drive *drive, hd_json *json);
void hd_cli_drive_write_found(const hd_cli_drive *drive, const hd_cli_driven *driven, size_t i,
                              hd_json *json);

#endif

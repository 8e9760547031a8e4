/*
 * heddle race and heddle deadlock on a program: from its options to what is printed.
 */
#ifndef HD_CLI_DRIVE_H
#define HD_CLI_DRIVE_H

#include "cli_model.h"
#include "cli_race_common.h"

typedef struct hd_cli_drive {
    const hd_cli_arguments *arguments;
    hd_engine_drive d;
    hd_cli_page page;
    bool summary;     /* counts only */
    bool sv_comp;     /* with the competition's word at the end, */
    const char *yaml; /* and a witness in its format; NULL: without */
} hd_cli_drive;

/* Reads the options that both commands have, asks about the program of the arguments with them
 * and with what is set in `drive`: which question, and the stages; the exit status. */
int hd_cli_drive_run(hd_cli_drive *drive);

/* Text, and JSON. */
void hd_cli_drive_print(const hd_engine_drive *drive);
void hd_cli_drive_print_found(const hd_engine_drive *drive, const hd_engine_driven *driven,
                              size_t i);
void hd_cli_drive_print_unproved(const hd_engine_drive *drive);
void hd_cli_drive_write_result(const hd_engine_drive *drive, hd_json *json);
void hd_cli_drive_write_found(const hd_engine_drive *drive, const hd_engine_driven *driven,
                              size_t i, hd_json *json);

#endif

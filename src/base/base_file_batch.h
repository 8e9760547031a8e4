/*
 * Batches of files (base_file.h) after a way out that skipped their end (base_mem.h).
 */
#ifndef HD_BASE_FILE_BATCH_H
#define HD_BASE_FILE_BATCH_H

/* Ends all batches of this thread: what was committed takes its name, and what comes does at once.
 * Allocates nothing. */
void hd_file_batch_abandon(void);

#endif

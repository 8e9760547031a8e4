/*
 * The log: one line per message on standard error, "heddle: text".  Nothing is logged above the
 * level set; warnings and errors are on from the start.
 */
#ifndef HD_BASE_LOG_H
#define HD_BASE_LOG_H

#include "base_mem.h"

enum hd_log_level { HD_LOG_ERROR, HD_LOG_WARNING, HD_LOG_NOTE, HD_LOG_DEBUG };

/* Messages of this thread, whatever their level, go to the sink instead; NULL: to standard error
 * again. */
typedef void hd_log_sink(void *context, enum hd_log_level level, const char *text);
void hd_log_divert(hd_log_sink *to, void *context);

/* Where they go now: the context, and the sink, NULL if it is standard error. */
void *hd_log_diverted(hd_log_sink **to);

void hd_log_set_level(enum hd_log_level level);
enum hd_log_level hd_log_get_level(void);
void hd_log_write(enum hd_log_level level, const char *format, ...) HD_PRINTF(2, 3);

#endif

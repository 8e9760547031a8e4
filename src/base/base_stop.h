/*
 * The signals that ask a process to end: SIGINT, SIGTERM, SIGHUP, SIGQUIT.
 *
 *     hd_stop_init();                      once, in main
 *     hd_stop_listen();                    a loop begins that looks:
 *     while (... && !hd_stop_asked())
 *
 * Until something listens, such a signal ends the process at once, as it would without this, but
 * files and folders that are only for the time of the work are removed first.  After hd_stop_listen
 * the first signal is only noted: the work ends early and says what it has.  A second one, of any
 * kind, ends the process at once.
 *
 * Other signals that end a process, such as SIGPIPE and SIGALRM, end it at once in any case, after
 * the same files and folders were removed; so do faults of its own, such as SIGSEGV.
 *
 * A signal that was ignored when the process began stays ignored, for that is what nohup is; but
 * not SIGINT, which shells ignore for whatever a script starts with "&".
 */
#ifndef HD_BASE_STOP_H
#define HD_BASE_STOP_H

#include <stdbool.h>

void hd_stop_init(void);
void hd_stop_listen(void);
void hd_stop_obey(void); /* as before that; one that was noted meanwhile ends the process now */

extern volatile int hd_stop_number;

/* The signal that came, 0: none. */
static inline int hd_stop_asked(void) {
    return hd_stop_number;
}

/* Is it one of them? */
bool hd_stop_is(int number);

/* "SIGTERM" */
const char *hd_stop_name(int number);

/* Did the terminal send it, to all processes in its foreground? */
bool hd_stop_by_terminal(void);

/* A descriptor that is readable once a signal has come, for poll; -1 if none exists. */
int hd_stop_file(void);

/* Called before the process ends at once, in the handler: what it does must be allowed there. NULL:
 * nothing. */
void hd_stop_before_end(void (*work)(void));

/* A file or an empty folder that is removed if the process ends before hd_stop_remove: at once by a
 * signal, or by exit() in the middle of something, for lack of memory for example; those that are
 * added later are removed first. */
void hd_stop_add(const char *path);
void hd_stop_remove(const char *path);

#endif

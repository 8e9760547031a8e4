/*
 * Threads in the schedule of a witness file: the name, with %XX for every byte
 * that is no printable ASCII or means something there (blank : % #), or #N, the
 * thread's number, if the name is empty or not its own.
 */
#ifndef HD_REPLAY_TOKEN_H
#define HD_REPLAY_TOKEN_H

#include "replay.h"

/* The threads of a machine by name. */
typedef struct hd_replay_tokens {
    hd_names names;
    hd_vec_u32 thread_of; /* [name]: the thread, UINT32_MAX if several have the name */
} hd_replay_tokens;

void hd_replay_tokens_init(hd_replay_tokens *tokens, hd_machine *machine);
void hd_replay_tokens_release(hd_replay_tokens *tokens);

void hd_replay_token_print(const hd_replay_tokens *tokens, hd_machine *machine, uint32_t thread,
                           hd_vec_char *to);

/* The thread that a token means; false if it means none of the machine. */
bool hd_replay_token_find(const hd_replay_tokens *tokens, const hd_machine *machine,
                          const char *token, uint32_t *thread);

/* Is it written as a token is? */
bool hd_replay_token_legal(const char *token, size_t length);

#endif

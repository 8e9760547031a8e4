/*
 * Symbols that are kept when they are no longer used, for the next run of the same program: a
 * command may record, explore and replay a program many times.
 *
 * One user has them at a time, because libdw is not made for several threads.  Several that need
 * them at once each read their own.
 */
#ifndef HD_SYMBOLS_KEPT_H
#define HD_SYMBOLS_KEPT_H

#include "base/base.h"
#include "launch/launch.h"
#include "symbols_modules.h"

/* What a run's modules are: files, as they are now, and where they are in memory. */
void hd_symbols_kept_key(const hd_launch_run *run, hd_vec_char *key);

/* Those of the key, which the caller then owns; NULL if there are none. */
hd_symbols *hd_symbols_kept_take(const hd_vec_char *key);

/* Takes the symbols, whose key must stay where it is; returns the ones unused for longest, which
 * the caller frees, or NULL if there is room. */
hd_symbols *hd_symbols_kept_give(hd_symbols *symbols, const hd_vec_char *key);

#endif

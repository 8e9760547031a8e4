/*
 * base: what every other room uses.  Memory that is never short (running out ends the process in
 * one place), typed vectors, maps from names and numbers to 32-bit ids, bitsets, errors with text,
 * the log, the progress line, output files that appear whole or not at all, a thread pool, a JSON
 * writer, the random generator whose numbers are part of the command line's contract, and the
 * signals that ask the process to end.
 */
#ifndef HD_BASE_H
#define HD_BASE_H

#include "base_arena.h"
#include "base_assert.h"
#include "base_bits.h"
#include "base_budget.h"
#include "base_bytes.h"
#include "base_child.h"
#include "base_clock.h"
#include "base_error.h"
#include "base_file.h"
#include "base_guard.h"
#include "base_json.h"
#include "base_json_read.h"
#include "base_log.h"
#include "base_map.h"
#include "base_mem.h"
#include "base_names.h"
#include "base_pipe.h"
#include "base_pool.h"
#include "base_print.h"
#include "base_progress.h"
#include "base_random.h"
#include "base_step.h"
#include "base_stop.h"
#include "base_text.h"
#include "base_turns.h"
#include "base_vec.h"
#include "base_worker.h"

#endif

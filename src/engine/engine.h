/*
 * engine: a question goes in, an answer comes out.  It owns everything around the searches:
 * loading the input, starting over when a program turns out to be different, confirming,
 * shrinking, outcomes, fingerprints, time, and the verdict with what it rests on.  It prints
 * nothing and knows no command line.
 */
#ifndef HD_ENGINE_H
#define HD_ENGINE_H

#include "engine_explore.h"
#include "engine_machine.h"
#include "engine_places.h"
#include "engine_verdict.h"
#include "engine_words.h"

#endif

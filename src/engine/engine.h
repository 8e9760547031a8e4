/*
 * engine: a question goes in, an answer comes out.  It owns everything around the searches:
 * loading the input, starting over when a program turns out to be different, confirming,
 * shrinking, outcomes, fingerprints, time, and the verdict with what it rests on.  It prints
 * nothing and knows no command line.
 */
#ifndef HD_ENGINE_H
#define HD_ENGINE_H

#include "engine_advice.h"
#include "engine_ask.h"
#include "engine_check.h"
#include "engine_crew.h"
#include "engine_detect.h"
#include "engine_drive.h"
#include "engine_explore.h"
#include "engine_follow.h"
#include "engine_machine.h"
#include "engine_online.h"
#include "engine_places.h"
#include "engine_predict.h"
#include "engine_property.h"
#include "engine_reach.h"
#include "engine_record.h"
#include "engine_replay.h"
#include "engine_report.h"
#include "engine_sequence.h"
#include "engine_slice.h"
#include "engine_states.h"
#include "engine_team.h"
#include "engine_temporal.h"
#include "engine_test.h"
#include "engine_verdict.h"
#include "engine_words.h"

#endif

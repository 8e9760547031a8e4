/*
 * predict: runs of an explored program that need not be executed.  What threads were seen to do is
 * learnt as trees; a run whose steps were all seen with the same results is simulated instead.
 */
#ifndef HD_PREDICT_H
#define HD_PREDICT_H

#include "predict_learnt.h"
#include "predict_memory.h"
#include "predict_runs.h"
#include "predict_simulate.h"
#include "predict_states.h"

#endif

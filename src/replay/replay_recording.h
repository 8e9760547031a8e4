/*
 * A run of a machine as a trace, with the step that each event is of, and whether its last step is
 * an access that nothing orders after an earlier one.  Private to replay.
 */
#ifndef HD_REPLAY_RECORDING_H
#define HD_REPLAY_RECORDING_H

#include "replay.h"

typedef struct hd_replay_recording {
    hd_trace run;
    hd_vec_u32 step_of;   /* [event - 1]: number of its step */
    hd_vec_u64 low, high; /* [event - 1]: the bytes that it accesses; none: its object says it */
    hd_vec_u32 positions; /* [step - 1]: where it is in the program */
} hd_replay_recording;

void hd_replay_recording_init(hd_replay_recording *recording);
void hd_replay_recording_release(hd_replay_recording *recording);

/* To be called before and after every step. */
void hd_replay_recording_before(hd_replay_recording *recording, hd_machine *machine, size_t number,
                                const hd_step *step);
void hd_replay_recording_after(hd_replay_recording *recording, hd_machine *machine, size_t number);

/* At the end: fills in what the outcome says of such a pair.  A run that failed or was stopped has
 * none. */
void hd_replay_recording_judge(hd_replay_recording *recording, hd_replay_outcome *outcome);

#endif

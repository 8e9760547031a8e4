#include "launch_log.h"

void hd_launch_log_release(hd_launch_log *log) {
    hd_vec_release(&log->steps);
    hd_vec_release(&log->states);
    hd_vec_release(&log->locals);
    hd_vec_release(&log->nexts);
    hd_vec_release(&log->more);
    hd_vec_release(&log->more_joined);
    hd_vec_release(&log->output);
    hd_vec_release(&log->marks);
    hd_vec_release(&log->inputs);
}

void hd_launch_log_silence(hd_launch_log *log) {
    hd_vec_clear(&log->output);
    hd_vec_clear(&log->marks);
    hd_vec_clear(&log->inputs);
    log->wrote = log->sum = 0;
    log->unsaid = false;
}

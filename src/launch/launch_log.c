#include "launch_log.h"

void hd_launch_log_release(hd_launch_log *log) {
    hd_vec_release(&log->steps);
    hd_vec_release(&log->nexts);
    hd_vec_release(&log->more);
    hd_vec_release(&log->more_joined);
    hd_vec_release(&log->output);
}

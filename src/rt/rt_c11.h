/*
 * C11 threads.  The C library implements them inside itself over its POSIX threads, with the same
 * objects.  Here each is beside the POSIX function that does the same, and has its body inlined
 * (HD_RT_BODY): so what HD_RT_CODE says is where the program called it.
 */
#ifndef HD_RT_C11_H
#define HD_RT_C11_H

#include <errno.h>
#include <threads.h>

static inline int hd_rt_c11_status(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

#endif

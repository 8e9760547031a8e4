/*
 * The C library's own functions, which the runtime's functions of the same name hide from the
 * program.
 */
#ifndef HD_RT_REAL_H
#define HD_RT_REAL_H

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef struct hd_rt_real_table {
#define REAL(result, name, parameters) result(*name) parameters;
#include "rt_real.def"
#undef REAL
} hd_rt_real_table;

extern hd_rt_real_table hd_rt_real;

void hd_rt_real_init(void);

/* One more, by name; NULL if there is none. */
void *hd_rt_real_symbol(const char *name);

/* As snprintf, unseen. */
int hd_rt_print(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

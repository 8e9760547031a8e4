/*
 * What the C library does in threads of its own: asynchronous input and output, names that are
 * looked up.  These threads are not under control.  So in an explored program the call itself does
 * what is asked for, before it returns: one of the orders that there may be, the same in every run.
 * The others are not explored, and the answer says so.
 */
#undef _FILE_OFFSET_BITS /* each name is that function, and not another one */
#include <aio.h>
#include <errno.h>
#include <mqueue.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"

static void hide(void) {
    if (hd_rt.exploring)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HELPERS;
}

/* Is it done here? */
static bool is_ours(void) {
    hide();
    return hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended;
}

/* --- what follows it ------------------------------------------------------------------------- */

typedef struct notice {
    void (*call)(union sigval);
    union sigval value;
} notice;

static void *give_notice(void *argument) {
    notice it = *(notice *)argument;
    free(argument);
    it.call(it.value);
    return NULL;
}

/* A signal, or a thread of the program. */
static void notify(const struct sigevent *event) {
    if (event && event->sigev_notify == SIGEV_SIGNAL)
        sigqueue(getpid(), event->sigev_signo, event->sigev_value);
    if (!event || event->sigev_notify != SIGEV_THREAD)
        return;
    pthread_t thread;
    pthread_attr_t detached;
    notice *it = malloc(sizeof *it);
    if (!it)
        return;
    *it = (notice){event->sigev_notify_function, event->sigev_value};
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, give_notice, it);
    pthread_attr_destroy(&detached);
}

/* --- input and output ------------------------------------------------------------------------ */

/* As the system call; what has no offset is read and written as it comes. */
static long transfer(bool writes, const struct aiocb *it, void *memory) {
    long size = (long)it->aio_nbytes;
    long done = hd_rt_syscall(writes ? SYS_pwrite64 : SYS_pread64, it->aio_fildes, (long)memory,
                              size, it->aio_offset, 0, 0);
    if (done == -ESPIPE)
        done = hd_rt_syscall(writes ? SYS_write : SYS_read, it->aio_fildes, (long)memory, size, 0,
                             0, 0);
    return done;
}

static void finish(struct aiocb *it, long done, uintptr_t code) {
    int error = done < 0 ? (int)-done : 0;
    ssize_t result = done < 0 ? -1 : done;
    hd_rt_deliver(&it->__error_code, &error, sizeof error, code);
    hd_rt_deliver(&it->__return_value, &result, sizeof result, code);
}

static void do_request(struct aiocb *it, int operation, uintptr_t code) {
    hd_rt_fetch(it, sizeof *it, code);
    struct aiocb own = *it;
    if (operation == LIO_NOP)
        return;
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it reads or writes files asynchronously");
    void *memory = (void *)(uintptr_t)own.aio_buf;
    hd_rt_aside aside;
    if (operation == LIO_WRITE)
        hd_rt_fetch(memory, own.aio_nbytes, code);
    hd_rt_foreign_file(operation == LIO_WRITE ? "aio_write" : "aio_read", own.aio_fildes, code);
    if (operation == LIO_WRITE)
        finish(it, transfer(true, &own, memory), code);
    else {
        void *to = hd_rt_aside_begin(&aside, memory, own.aio_nbytes);
        long got = transfer(false, &own, to);
        hd_rt_aside_end(&aside, got > 0 ? (size_t)got : 0, code);
        finish(it, got, code);
    }
    notify(&own.aio_sigevent);
}

#define REAL(result, parameters)                                                                   \
    result(*real) parameters;                                                                      \
    *(void **)&real = hd_rt_real_symbol(__func__);

static int do_list(int mode, struct aiocb *const *list, int count, const struct sigevent *event,
                   uintptr_t code) {
    bool failed = false;
    hd_rt_fetch(list, (size_t)count * sizeof *list, code);
    for (int i = 0; i < count; i++)
        if (list[i]) {
            do_request(list[i], list[i]->aio_lio_opcode, code);
            failed |= list[i]->aio_lio_opcode != LIO_NOP && list[i]->__error_code;
        }
    if (mode == LIO_NOWAIT)
        notify(event);
    if (mode == LIO_NOWAIT || !failed)
        return 0;
    errno = EIO;
    return -1;
}

static void do_sync(struct aiocb *it, uintptr_t code) {
    hd_rt_fetch(it, sizeof *it, code);
    struct aiocb own = *it;
    hd_rt_foreign_file("aio_fsync", own.aio_fildes, code);
    finish(it, 0, code);
    notify(&own.aio_sigevent);
}

/* All of them, under the names for large files too: where the structures are the same. */
_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64), "they are the same");

#define REQUEST(name, type, operation)                                                             \
    HD_RT_EXPORT int name(type *it) {                                                              \
        REAL(int, (type *))                                                                        \
        if (!is_ours())                                                                            \
            return real(it);                                                                       \
        do_request((struct aiocb *)it, operation, HD_RT_CODE());                                   \
        return 0;                                                                                  \
    }

#define SYNC(name, type)                                                                           \
    HD_RT_EXPORT int name(int operation, type *it) {                                               \
        REAL(int, (int, type *))                                                                   \
        if (!is_ours())                                                                            \
            return real(operation, it);                                                            \
        do_sync((struct aiocb *)it, HD_RT_CODE());                                                 \
        return 0;                                                                                  \
    }

#define LIST(name, type)                                                                           \
    HD_RT_EXPORT int name(int mode, type *const *list, int count, struct sigevent *event) {        \
        REAL(int, (int, type *const *, int, struct sigevent *))                                    \
        bool usual = (mode == LIO_WAIT || mode == LIO_NOWAIT) && count >= 0;                       \
        if (!usual || !is_ours())                                                                  \
            return real(mode, list, count, event);                                                 \
        return do_list(mode, (struct aiocb *const *)list, count, event, HD_RT_CODE());             \
    }

REQUEST(aio_read, struct aiocb, LIO_READ)
REQUEST(aio_read64, struct aiocb64, LIO_READ)
REQUEST(aio_write, struct aiocb, LIO_WRITE)
REQUEST(aio_write64, struct aiocb64, LIO_WRITE)
SYNC(aio_fsync, struct aiocb)
SYNC(aio_fsync64, struct aiocb64)
LIST(lio_listio, struct aiocb)
LIST(lio_listio64, struct aiocb64)

/* --- others ---------------------------------------------------------------------------------- */

HD_RT_EXPORT int getaddrinfo_a(int mode, struct gaicb **list, int count, struct sigevent *event) {
    REAL(int, (int, struct gaicb **, int, struct sigevent *))
    if ((mode != GAI_WAIT && mode != GAI_NOWAIT) || count < 0 || !is_ours())
        return real(mode, list, count, event);
    hd_rt_fetch(list, (size_t)count * sizeof *list, HD_RT_CODE());
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_network, HD_RT_CHANGES, HD_RT_CODE());
    for (int i = 0; i < count; i++) {
        struct gaicb *it = list[i];
        struct addrinfo *result = NULL;
        if (!it)
            continue;
        hd_rt_fetch(it, sizeof *it, HD_RT_CODE());
        int error = getaddrinfo(it->ar_name, it->ar_service, it->ar_request, &result);
        hd_rt_deliver(&it->ar_result, &result, sizeof(struct addrinfo *), HD_RT_CODE());
        hd_rt_deliver(&it->__return, &error, sizeof error, HD_RT_CODE());
    }
    if (mode == GAI_NOWAIT)
        notify(event);
    return 0;
}

HD_RT_EXPORT int mq_notify(mqd_t queue, const struct sigevent *event) {
    REAL(int, (mqd_t, const struct sigevent *))
    hide();
    hd_rt_fetch(event, sizeof *event, HD_RT_CODE());
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    return real(queue, event);
}

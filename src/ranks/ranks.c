#include "ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* Messages are bytes, and longer ones than MPI counts go in parts of this size. */
enum { PART = 1 << 28 };

static int own, processes;

/* ---- Processes that die ---- */

/* Does the job go on if a process dies?  If not, MPI ends it, and nothing below is asked.  If so,
 * what fails returns an error, and a process that fails is found by looking. */
static bool tolerant;

static bool *gone;    /* [rank] it has died */
static int *unsaid;   /* those of which that was not said, */
static int unsaids;   /* so many */
static double looked; /* when */

static void lose(int rank) {
    if (gone[rank])
        return;
    gone[rank] = true;
    if (own == 0 || rank == 0)
        unsaid[unsaids++] = rank;
}

#ifdef OMPI_HAVE_MPI_EXT_FTMPI

/* mpirun --with-ft ulfm sets this variable of Open MPI. */
static bool is_tolerant(void) {
    union {
        bool is;
        long long all;
    } value = {.all = 0};
    int given, index, count;
    MPI_T_cvar_handle handle;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &given) != MPI_SUCCESS)
        return false;
    if (MPI_T_cvar_get_index("mpi_ft_enable", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        MPI_T_cvar_read(handle, &value);
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return value.is;
}

/* Those that failed are acknowledged, so that messages of any process are received again. */
static void find_lost(void) {
    MPI_Group failed, all;
    int count = 0, known;
    if (MPIX_Comm_get_failed(MPI_COMM_WORLD, &failed) != MPI_SUCCESS)
        return;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(failed, &count);
    for (int i = 0; i < count; i++) {
        int rank = MPI_UNDEFINED;
        MPI_Group_translate_ranks(failed, 1, &i, all, &rank);
        if (rank != MPI_UNDEFINED)
            lose(rank);
    }
    MPIX_Comm_ack_failed(MPI_COMM_WORLD, count, &known);
    MPI_Group_free(&failed);
    MPI_Group_free(&all);
}

#else

static bool is_tolerant(void) {
    return false;
}

static void find_lost(void) {
}

#endif

/* ---- Messages ---- */

/* A message begins with its length, as the first of its parts.  What is sent to a process that has
 * died goes nowhere. */
static void rank_send(int to, int kind, const void *bytes, size_t length) {
    unsigned long long all = length;
    if (gone[to] || MPI_Send(&all, sizeof all, MPI_BYTE, to, kind, MPI_COMM_WORLD) != MPI_SUCCESS)
        return;
    for (size_t at = 0; at < length; at += PART)
        if (MPI_Send((const char *)bytes + at, (int)(length - at < PART ? length - at : PART),
                     MPI_BYTE, to, kind, MPI_COMM_WORLD) != MPI_SUCCESS)
            return;
}

/* Of a message that was seen, and not received yet, the length has been. */
static struct {
    bool seen;
    int from, kind;
    size_t length;
} first;

/* What a process sent that has died comes too late: it has been done again.  It cannot be received
 * in the usual way. */
static void drop(const MPI_Status *seen) {
    int there = 0, length = 0;
    MPI_Status status;
    MPI_Message message;
    if (MPI_Improbe(seen->MPI_SOURCE, seen->MPI_TAG, MPI_COMM_WORLD, &there, &message, &status) !=
            MPI_SUCCESS ||
        !there)
        return;
    MPI_Get_count(&status, MPI_BYTE, &length);
    void *nowhere = malloc((size_t)length + 1);
    if (nowhere)
        MPI_Mrecv(nowhere, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    free(nowhere);
}

/* The beginning of a message. */
static void look(void) {
    int there = 0;
    unsigned long long all;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
        find_lost();
    else if (there && gone[status.MPI_SOURCE])
        drop(&status);
    else if (there) {
        first.from = status.MPI_SOURCE;
        first.kind = status.MPI_TAG;
        first.seen = MPI_Recv(&all, sizeof all, MPI_BYTE, first.from, first.kind, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE) == MPI_SUCCESS;
        first.length = (size_t)all;
        if (!first.seen)
            lose(first.from);
    }
}

/* A member is told of the lead alone, and again each time. */
static void look_for_lost(void) {
    static const double between = 0.05; /* seconds: it costs a thousand times what a look does */
    if (MPI_Wtime() - looked > between) {
        find_lost();
        looked = MPI_Wtime();
    }
    if (!unsaids)
        return;
    first.seen = true;
    first.from = own == 0 ? unsaid[--unsaids] : 0;
    first.kind = HD_TEAM_LOST;
    first.length = 0;
}

static bool rank_waits(int *from, int *kind, size_t *length) {
    if (!first.seen && tolerant)
        look_for_lost();
    if (!first.seen)
        look();
    if (!first.seen)
        return false;
    *from = first.from;
    *kind = first.kind;
    *length = first.length;
    return true;
}

static bool rank_receive(int from, int kind, void *bytes, size_t length) {
    bool good = true;
    for (size_t at = 0; at < length && good; at += PART)
        good = MPI_Recv((char *)bytes + at, (int)(length - at < PART ? length - at : PART),
                        MPI_BYTE, from, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    first.seen = false;
    if (!good)
        lose(from);
    return good;
}

/* ---- Beginning and end ---- */

/* To finalize, all processes wait for each other: if one dies then, or has, Open MPI 5.0.7 may wait
 * for ever.  A job that goes on without it ends well without that, too. */
static void rank_leave(void) {
    if (!tolerant)
        MPI_Finalize();
}

/* Without the lead, each member ends itself: Open MPI may not end if several abort the job. */
static void rank_end(int status) {
    if (tolerant && gone[0])
        exit(status);
    MPI_Abort(MPI_COMM_WORLD, status);
}

bool hd_ranks_begin(hd_team *team, char *wrong, size_t size) {
    static char about[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, given = 0;
    if (team->version != HD_TEAM_VERSION) {
        snprintf(wrong, size, "it is of another version of heddle");
        return false;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) {
        snprintf(wrong, size, "MPI cannot be started");
        return false;
    }
    MPI_Get_library_version(about, &length);
    about[strcspn(about, ",\n")] = '\0';
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    gone = calloc((size_t)processes, sizeof *gone);
    unsaid = calloc((size_t)processes, sizeof *unsaid);
    if (!gone || !unsaid) {
        snprintf(wrong, size, "out of memory");
        return false;
    }
    tolerant = is_tolerant();
    if (tolerant)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    team->rank = own;
    team->size = processes;
    team->tolerant = tolerant;
    team->about = about;
    team->send = rank_send;
    team->waits = rank_waits;
    team->receive = rank_receive;
    team->leave = rank_leave;
    team->end = rank_end;
    return true;
}

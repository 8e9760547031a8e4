#include "ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Messages are bytes, and longer ones than MPI counts go in parts of this size. */
enum { PART = 1 << 28 };

/* A message begins with its length, as the first of its parts. */
static void rank_send(int to, int kind, const void *bytes, size_t length) {
    unsigned long long all = length;
    MPI_Send(&all, 1, MPI_UNSIGNED_LONG_LONG, to, kind, MPI_COMM_WORLD);
    for (size_t at = 0; at < length; at += PART)
        MPI_Send((const char *)bytes + at, (int)(length - at < PART ? length - at : PART), MPI_BYTE,
                 to, kind, MPI_COMM_WORLD);
}

/* Of a message that was seen, and not received yet, the length has been. */
static struct {
    bool seen;
    int from, kind;
    size_t length;
} first;

static bool rank_waits(int *from, int *kind, size_t *length) {
    int there = 0;
    MPI_Status status;
    if (!first.seen) {
        unsigned long long all;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            return false;
        MPI_Recv(&all, 1, MPI_UNSIGNED_LONG_LONG, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        first.seen = true;
        first.from = status.MPI_SOURCE;
        first.kind = status.MPI_TAG;
        first.length = (size_t)all;
    }
    *from = first.from;
    *kind = first.kind;
    *length = first.length;
    return true;
}

static void rank_receive(int from, int kind, void *bytes, size_t length) {
    for (size_t at = 0; at < length; at += PART)
        MPI_Recv((char *)bytes + at, (int)(length - at < PART ? length - at : PART), MPI_BYTE, from,
                 kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    first.seen = false;
}

static void rank_leave(void) {
    MPI_Finalize();
}

static void rank_end(int status) {
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
    MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &team->size);
    team->about = about;
    team->send = rank_send;
    team->waits = rank_waits;
    team->receive = rank_receive;
    team->leave = rank_leave;
    team->end = rank_end;
    return true;
}

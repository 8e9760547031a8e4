/*
 * team: processes that work on one question and tell each other bytes.  One of them leads, number
 * 0; the others are its members.
 *
 *     const hd_team *team = hd_team_join(&error);
 *     team->send(to, kind, bytes, length);
 *     while (!team->waits(&from, &kind, &length)) sleep ...
 *     team->receive(from, kind, bytes, length);
 *     hd_team_leave();
 *
 * How the bytes go is known to one module alone (room ranks), which speaks MPI.  It is a shared
 * object that is loaded when a team is asked for: so heddle itself needs no MPI, and the module of
 * another MPI can be put in its place.
 *
 * Messages from one process to another arrive in the order in which they were sent.
 *
 * If a process dies, all of them end; unless the job is tolerant.  Then the lead gets HD_TEAM_LOST
 * from the process that died, and nothing from it afterwards; a message that was not sent to its
 * end is not received.  If the lead dies the members get HD_TEAM_LOST from it, again and again, and
 * should end.  Of other members they are not told.
 */
#ifndef HD_TEAM_H
#define HD_TEAM_H

#include "base/base.h"

/* The version of this struct, which the module must have been built with. */
enum { HD_TEAM_VERSION = 2 };

typedef struct hd_team {
    int version;
    const char *about; /* "Open MPI v4.1.4" */
    int rank, size;
    bool tolerant; /* the others go on if one dies */
    void (*send)(int to, int kind, const void *bytes, size_t length);
    /* Has a message come?  If not, nothing is written. */
    bool (*waits)(int *from, int *kind, size_t *length);
    /* False: it died, and the message is not whole. */
    bool (*receive)(int from, int kind, void *bytes, size_t length);
    void (*leave)(void);     /* when all have said what they had to say */
    void (*end)(int status); /* ends all of them at once */
} hd_team;

/* NULL, with an error, if the module is not there.  Once a process. */
const hd_team *hd_team_join(hd_error *error);

/* The team of this process; NULL: it is alone. */
const hd_team *hd_team_current(void);
void hd_team_leave(void);

/* What a module has: fills the struct in; false if it cannot be used, with a text of at most so
 * many bytes. */
typedef bool hd_team_begin(hd_team *team, char *wrong, size_t size);
#define HD_TEAM_BEGIN "hd_ranks_begin"

/* ---- Messages ---- */

/* A kind that no process sends: one has died. */
enum { HD_TEAM_LOST = -1 };

/* So many were told of: of the lead, members. */
int hd_team_lost(void);

/* Was a member told that the lead has died? */
bool hd_team_leaderless(void);

void hd_team_send(int to, int kind, const hd_vec_char *bytes); /* NULL: none */

/* The next message, if one comes within so many seconds. */
bool hd_team_receive(double seconds, int *from, int *kind, hd_vec_char *bytes);

/* Is there one?  Costs little. */
bool hd_team_waits(void);

#endif

#include "engine_crew.h"

#include <stdlib.h>
#include <string.h>

/* Pieces for each member that may be done before their turn, and that it has at a time, so that it
 * need not wait for the next. */
enum { AHEAD = 8, HAS = 2 };

/* Seconds that a message is waited for before something else is looked at, by the lead and by a
 * member. */
static const double moment = 0.02, patience = 0.5;

/* What a process knows of its crew. */
typedef struct team_crew {
    hd_turns_crew crew;
    hd_clock clock;
    uint64_t number;     /* of the turns at hand, from 1 on */
    bool began;          /* there is a team */
    bool left;           /* lead: a signal came to a member */
    bool over;           /* member: it was told that it is */
    bool working;        /* member: in turns, where messages are waited for */
    int idle;            /* lead: members that do no more pieces */
    struct at *members;  /* lead: [rank] */
    hd_vec_char message; /* the last that came */
    hd_vec_u64 units;    /* member: pieces that it was given */
    bool halted;         /* member: the turns at hand are over */
    hd_error error;      /* of a member */
} team_crew;

/* ---- The lead ---- */

struct at {
    bool ready;          /* it is at these turns */
    bool idle;           /* it does no more pieces */
    uint64_t piece[HAS]; /* that it does, + 1; 0: none */
};

/* Turns that are led. */
struct turns {
    team_crew *crew;
    const hd_turns *turns;
    uint64_t next, turn; /* piece to hand out, to enter */
    uint64_t window;
    void **done;      /* [piece % window]; NULL: it is not */
    hd_vec_u64 again; /* pieces of members that do no more */
};

/* A piece to do, if there is one. */
static bool choose(struct turns *t, uint64_t *piece) {
    if (t->again.length) {
        *piece = hd_vec_pop(&t->again);
        return true;
    }
    *piece = t->next;
    if (t->next == t->turns->pieces || t->next == t->turn + t->window)
        return false;
    t->next++;
    return true;
}

static void give(const struct turns *t, int to, uint64_t piece) {
    hd_vec_char unit = {0};
    hd_bytes_put(&unit, t->crew->number);
    hd_bytes_put(&unit, piece);
    hd_team_send(to, HD_ENGINE_UNIT, &unit);
    hd_vec_release(&unit);
}

/* Each gets its first before any gets its second. */
static void hand_out(struct turns *t) {
    for (int k = 0; k < HAS; k++)
        for (int i = 1; i <= (int)t->crew->crew.size; i++) {
            struct at *member = &t->crew->members[i];
            uint64_t piece;
            if (!member->ready || member->idle || member->piece[k] || !choose(t, &piece))
                continue;
            give(t, i, piece);
            member->piece[k] = piece + 1;
        }
}

static void take_piece(struct turns *t, int from, hd_bytes *bytes) {
    struct at *member = &t->crew->members[from];
    uint64_t piece = hd_bytes_get(bytes, t->turns->pieces - 1);
    void *done = NULL;
    for (int k = 0; k < HAS && !done && !bytes->bad; k++) {
        if (member->piece[k] != piece + 1)
            continue;
        member->piece[k] = 0;
        assert(!t->done[piece % t->window]);
        done = t->done[piece % t->window] = t->turns->unpack(t->turns->context, piece, bytes);
    }
    if (!done || !hd_bytes_done(bytes))
        hd_error_set(&t->crew->error, "process %d sent an answer that is not one", from);
}

/* A member does no more pieces: what it was to do is for another. */
static void take_back(struct turns *t, int from) {
    struct at *member = &t->crew->members[from];
    t->crew->idle += !member->idle;
    member->idle = true;
    for (int k = 0; k < HAS; k++) {
        if (member->piece[k])
            hd_vec_push(&t->again, member->piece[k] - 1);
        member->piece[k] = 0;
    }
}

static void take_message(struct turns *t, int from, int kind) {
    team_crew *crew = t->crew;
    const hd_vec_char *message = &crew->message;
    hd_bytes bytes = {message->data, message->data + message->length, false};
    if (kind == HD_ENGINE_LEFT)
        crew->left = true;
    else if (kind == HD_ENGINE_IDLE)
        take_back(t, from);
    else if (kind == HD_TEAM_LOST) {
        hd_engine_team_lost(from);
        take_back(t, from);
    } else if (kind == HD_ENGINE_BROKEN)
        hd_error_set(&crew->error, "process %d: %.*s", from, (int)message->length, message->data);
    else if (hd_bytes_get(&bytes, UINT64_MAX) != crew->number || bytes.bad)
        return; /* of turns that are over */
    else if (kind == HD_ENGINE_READY)
        crew->members[from].ready = true;
    else if (kind == HD_ENGINE_REPORT)
        take_piece(t, from, &bytes);
}

/* All that has come, after a moment if nothing has and that is wanted. */
static void take_messages(struct turns *t, bool wait) {
    int from, kind;
    while (!t->crew->error.text[0] &&
           hd_team_receive(wait ? moment : 0, &from, &kind, &t->crew->message)) {
        take_message(t, from, kind);
        wait = false;
    }
}

static bool is_over(const struct turns *t) {
    return t->crew->error.text[0] || hd_clock_look() != HD_CLOCK_GOES;
}

/* The piece whose turn it is, if it is done; if all members have gone, the lead does it. */
static void *take_turn(struct turns *t) {
    void **place = &t->done[t->turn % t->window], *done = *place;
    *place = NULL;
    if (!done && t->crew->idle == (int)t->crew->crew.size) {
        done = t->turns->work(t->turns->context, 0, t->turn);
        t->next = t->next > t->turn ? t->next : t->turn + 1;
    }
    return done;
}

static void lead(team_crew *crew, const hd_turns *turns) {
    struct turns t = {.crew = crew, .turns = turns, .window = (uint64_t)crew->crew.size * AHEAD};
    hd_vec_char halt = {0};
    bool more = true;
    t.done = HD_NEW_ARRAY(void *, t.window);
    for (int i = 1; i <= (int)crew->crew.size; i++)
        crew->members[i] = (struct at){.idle = crew->members[i].idle};
    while (more && t.turn < turns->pieces && !is_over(&t)) {
        bool members = crew->idle < (int)crew->crew.size;
        take_messages(&t, members && !t.done[t.turn % t.window]);
        hand_out(&t);
        void *done = take_turn(&t);
        if (!done)
            continue;
        t.turn++;
        more = turns->enter(turns->context, done);
    }
    hd_bytes_put(&halt, crew->number);
    for (int i = 1; i <= (int)crew->crew.size; i++)
        hd_team_send(i, HD_ENGINE_HALT, &halt);
    hd_vec_release(&halt);
    for (uint64_t i = 0; i < t.window; i++)
        if (t.done[i])
            turns->drop(turns->context, t.done[i]);
    free(t.done);
    hd_vec_release(&t.again);
}

/* ---- A member ---- */

/* A signal to a member ends the job as one to the lead does. */
static void tell_signal(team_crew *crew) {
    if (hd_stop_asked() && !crew->left) {
        crew->left = true;
        hd_team_send(0, HD_ENGINE_LEFT, NULL);
    }
}

/* What the lead says; false if it says nothing for so long. */
static bool listen(team_crew *crew, double seconds) {
    int from, kind;
    tell_signal(crew);
    if (!hd_team_receive(seconds, &from, &kind, &crew->message))
        return false;
    hd_bytes bytes = {crew->message.data, crew->message.data + crew->message.length, false};
    crew->over |= kind == HD_ENGINE_OVER || kind == HD_TEAM_LOST;
    if (!crew->over && hd_bytes_get(&bytes, UINT64_MAX) != crew->number)
        return true;
    crew->halted |= kind == HD_ENGINE_HALT;
    if (kind == HD_ENGINE_UNIT)
        hd_vec_push(&crew->units, hd_bytes_get(&bytes, UINT64_MAX));
    return true;
}

/* Asked while a piece is done. */
static bool is_told(void *context) {
    team_crew *crew = context;
    while (listen(crew, 0)) {
    }
    return crew->halted || crew->over;
}

/* A piece that was cut off is not sent: it was cut off because the lead said so, or because the
 * time is up, which the lead sees, too, or by a signal, which the lead is told of. */
static void do_piece(team_crew *crew, const hd_turns *turns, uint64_t piece) {
    hd_vec_char report = {0};
    hd_clock clock = {.stops = is_told, .context = crew};
    hd_clock_begin(&clock);
    void *done = turns->work(turns->context, 0, piece);
    bool whole = hd_clock_look() == HD_CLOCK_GOES;
    hd_clock_end(&clock);
    hd_bytes_put(&report, crew->number);
    hd_bytes_put(&report, piece);
    turns->pack(turns->context, done, &report);
    turns->drop(turns->context, done);
    if (whole)
        hd_team_send(0, HD_ENGINE_REPORT, &report);
    hd_vec_release(&report);
}

static void wait_for_end(team_crew *crew) {
    while (!crew->over)
        listen(crew, patience);
}

static void serve(team_crew *crew, const hd_turns *turns) {
    hd_vec_char ready = {0};
    crew->working = true;
    crew->halted = false;
    hd_vec_clear(&crew->units);
    hd_bytes_put(&ready, crew->number);
    hd_team_send(0, HD_ENGINE_READY, &ready);
    hd_vec_release(&ready);
    for (size_t done = 0; !crew->over && !crew->halted;) {
        uint64_t piece = done < crew->units.length ? crew->units.data[done++] : turns->pieces;
        if (piece < turns->pieces && !crew->left)
            do_piece(crew, turns, piece);
        else
            listen(crew, patience);
    }
    crew->working = false;
}

/* ---- Both ---- */

static void run(void *context, const hd_turns *turns) {
    team_crew *crew = context;
    crew->number++;
    if (crew->crew.serves && !crew->over)
        serve(crew, turns);
    else if (!crew->crew.serves)
        lead(crew, turns);
}

/* Between turns: the lead may have said that all is over. */
static bool is_over_for_member(void *context) {
    team_crew *crew = context;
    while (!crew->working && !crew->over && listen(crew, 0)) {
    }
    return crew->over;
}

static bool has_left(void *context) {
    return ((const team_crew *)context)->left;
}

static team_crew ours; /* a process has one team */

void hd_engine_crew_begin(void) {
    const hd_team *team = hd_team_current();
    team_crew *crew = &ours;
    *crew = (team_crew){.began = team && team->size > 1};
    if (!crew->began)
        return;
    hd_stop_listen();
    bool member = team->rank != 0;
    crew->crew = (hd_turns_crew){
        .size = (unsigned)team->size - 1, .serves = member, .run = run, .context = crew};
    crew->members = HD_NEW_ARRAY(struct at, (size_t)team->size);
    crew->clock = (hd_clock){.stops = member ? is_over_for_member : has_left, .context = crew};
    hd_clock_begin(&crew->clock);
    hd_turns_set_crew(&crew->crew);
}

bool hd_engine_crew_good(hd_error *error) {
    return !ours.error.text[0] || hd_error_set(error, "%s", ours.error.text);
}

void hd_engine_crew_end(bool done) {
    team_crew *crew = &ours;
    if (!crew->began)
        return;
    hd_turns_set_crew(NULL);
    hd_clock_end(&crew->clock);
    if (crew->crew.serves && !crew->over && done) {
        hd_team_send(0, HD_ENGINE_IDLE, NULL);
        wait_for_end(crew);
    }
    hd_vec_release(&crew->message);
    hd_vec_release(&crew->units);
    free(crew->members);
    crew->began = false;
}

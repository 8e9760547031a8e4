/* Who makes, joins and detaches the threads of a drawn program; and what can be taken out of one.
 */
#include "drawn_drawer.h"

#include <string.h>

static int insert_after(program *p, int *list, int after, int s) {
    /* after == -1: first */
    if (after < 0) {
        p->statements[s].next = *list;
        *list = s;
    } else {
        p->statements[s].next = p->statements[after].next;
        p->statements[after].next = s;
    }
    return s;
}

static int list_length(const program *p, int list) {
    int length = 0;
    for (; list >= 0; list = p->statements[list].next)
        length++;
    return length;
}

static int list_at(const program *p, int list, int index) {
    while (index-- > 0)
        list = p->statements[list].next;
    return list;
}

/* Puts s somewhere after `after` (or anywhere, if -1) at the top of a list. */
static void insert_somewhere(drawer *d, int *list, int after, int s) {
    program *p = d->p;
    int from = 0;
    if (after >= 0)
        for (int i = *list; i != after; i = p->statements[i].next)
            from++;
    int length = list_length(p, *list), last = after >= 0 ? from : -1;
    int place_at = last + drawn_below(d, length - last);
    insert_after(p, list, place_at < 0 ? -1 : list_at(p, *list, place_at), s);
}

static int depth_of(const program *p, int t) {
    return t == 0 ? 0 : 1 + depth_of(p, p->parent[t]);
}

static int make_about(drawer *d, operation op, int t) {
    int id = drawn_make(d, op);
    d->p->statements[id].place = t;
    if (op == OP_JOIN && d->p->result[t])
        d->p->statements[id].r = drawn_register(d);
    return id;
}

/* Who joins thread t: its parent, a later sibling, who joined the parent, or nobody. */
static void draw_joins(drawer *d, const int *created, bool all_joined) {
    program *p = d->p;
    int join_of[DRAWN_THREADS], joiner[DRAWN_THREADS];
    memset(join_of, -1, sizeof join_of);
    for (int t = 1; t < p->threads; t++) {
        int parent = p->parent[t];
        if (!all_joined && d->on[FEATURE_detached] && drawn_chance(d, 20)) {
            insert_after(p, &p->functions[parent].first, created[t], make_about(d, OP_DETACH, t));
            continue;
        }
        if (!all_joined && d->on[FEATURE_unjoined] && drawn_chance(d, 25))
            continue;
        int sibling = -1;
        for (int u = t + 1; u < p->threads; u++)
            if (p->parent[u] == parent)
                sibling = u;
        if (!all_joined && d->on[FEATURE_elsewhere] && sibling > 0 && drawn_chance(d, 50)) {
            insert_somewhere(d, &p->functions[sibling].first, -1, make_about(d, OP_JOIN, t));
        } else if (d->on[FEATURE_elsewhere] && parent > 0 && join_of[parent] >= 0 &&
                   drawn_chance(d, 40)) {
            joiner[t] = joiner[parent];
            join_of[t] = make_about(d, OP_JOIN, t);
            insert_somewhere(d, &p->functions[joiner[t]].first, join_of[parent], join_of[t]);
        } else {
            joiner[t] = parent;
            join_of[t] = make_about(d, OP_JOIN, t);
            insert_somewhere(d, &p->functions[parent].first, created[t], join_of[t]);
        }
    }
}

void drawn_threads(drawer *d, bool all_joined) {
    program *p = d->p;
    int created[DRAWN_THREADS], last[DRAWN_THREADS];
    memset(last, -1, sizeof last);
    for (int t = 1; t < p->threads; t++) {
        int parent =
            d->on[FEATURE_nested] && t > 1 && drawn_chance(d, 60) ? 1 + drawn_below(d, t - 1) : 0;
        p->parent[t] = depth_of(p, parent) >= 3 ? 0 : parent;
        p->result[t] = d->on[FEATURE_results] ? drawn_below(d, 3) : 0;
    }
    for (int t = 1; t < p->threads; t++) {
        int parent = p->parent[t];
        created[t] = make_about(d, OP_CREATE, t);
        /* In the order of their numbers, so that a later sibling knows the earlier one. */
        if (last[parent] >= 0 || drawn_chance(d, 50))
            insert_after(p, &p->functions[parent].first, last[parent], created[t]);
        else
            insert_somewhere(d, &p->functions[parent].first, -1, created[t]);
        last[parent] = created[t];
    }
    draw_joins(d, created, all_joined);
}

static bool ends_all_joined(const program *p) {
    for (int i = 0; i < p->count; i++) {
        operation op = p->statements[i].op;
        if (!p->statements[i].dropped &&
            (op == OP_LOG || op == OP_NEXT || op == OP_NOTE || op == OP_EXIT))
            return true;
    }
    return false;
}

static int *find_link(program *p, int *list, int id) {
    for (; *list >= 0; list = &p->statements[*list].next) {
        if (*list == id)
            return list;
        int *inside = find_link(p, &p->statements[*list].child, id);
        if (inside)
            return inside;
    }
    return NULL;
}

static void drop_all(program *p, int list) {
    for (; list >= 0; list = p->statements[list].next) {
        p->statements[list].dropped = true;
        drop_all(p, p->statements[list].child);
    }
}

/* A thread that nobody makes is joined by nobody, and makes none. */
static void drop_thread(program *p, int t) {
    for (int i = 0; i < p->count; i++) {
        statement *s = &p->statements[i];
        if ((s->op == OP_JOIN || s->op == OP_DETACH) && s->place == t && !s->dropped) {
            for (int f = 0; f < DRAWN_FUNCTIONS; f++) {
                int *link = find_link(p, &p->functions[f].first, i);
                if (link)
                    *link = s->next;
            }
            s->dropped = true;
        }
    }
    for (int i = p->functions[t].first; i >= 0; i = p->statements[i].next)
        if (p->statements[i].op == OP_CREATE && !p->statements[i].dropped)
            drop_thread(p, p->statements[i].place);
    drop_all(p, p->functions[t].first);
    p->functions[t].first = -1;
}

/* Whether a statement needs the lock around it. */
static bool needs_lock(const program *p, int list) {
    for (; list >= 0; list = p->statements[list].next) {
        operation op = p->statements[list].op;
        if (op == OP_WAIT || op == OP_WAIT_UNTIL || op == OP_WAIT_TIMED || op == OP_NEXT ||
            op == OP_NOTE || needs_lock(p, p->statements[list].child))
            return true;
    }
    return false;
}

bool drawn_drop(program *p, int id, bool keep) {
    if (id < 0 || id >= p->count || p->statements[id].dropped)
        return true;
    statement *s = &p->statements[id];
    if (s->op == OP_JOIN && ends_all_joined(p))
        return false;
    if (keep && (s->op == OP_LOCKED || s->op == OP_TRIED) && needs_lock(p, s->child))
        return false;
    for (int f = 0; f < DRAWN_FUNCTIONS; f++) {
        int *link = find_link(p, &p->functions[f].first, id);
        if (!link)
            continue;
        if (keep && s->child >= 0) {
            int next = s->next;
            *link = s->child;
            drawn_append(p, link, next);
        } else {
            *link = s->next;
            drop_all(p, s->child);
        }
        s->dropped = true;
        if (s->op == OP_CREATE)
            drop_thread(p, s->place);
        return true;
    }
    return true;
}

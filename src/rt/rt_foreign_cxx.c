/*
 * The nodes of trees and lists are linked by functions of the C++ library, in memory of the
 * program.  What they read is found by going their way.  What they write is taken to be whole
 * nodes, without the elements: two threads may not use one container if one of them changes it,
 * whichever words of it.  A program that runs elsewhere meanwhile finds the container as it was
 * between two calls.
 */
#include "rt_foreign_cxx.h"

#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_string.h"

typedef struct visitor {
    hd_rt_cxx_visit *visit;
    void *of;
} visitor;

static void use(const visitor *by, bool write, const void *at, size_t size) {
    if (at)
        by->visit(by->of, write, (uintptr_t)at, size);
}

/* --- trees ---------------------------------------------------------------------------------- */

typedef struct node {
    int black;
    struct node *parent, *left, *right;
} node;

static void write_node(const visitor *by, const node *it) {
    use(by, true, it, sizeof *it);
}

static const node *read_node(const visitor *by, const node *it) {
    use(by, false, it, sizeof *it);
    return it;
}

static void pass_next(const visitor *by, const node *at) {
    read_node(by, at);
    if (at->right) {
        for (at = at->right; read_node(by, at)->left; at = at->left)
            ;
        return;
    }
    const node *up = at->parent;
    for (; at == read_node(by, up)->right; up = up->parent)
        at = up;
}

static void pass_previous(const visitor *by, const node *at) {
    read_node(by, at);
    if (!at->black && read_node(by, at->parent)->parent == at)
        return; /* the end */
    if (at->left) {
        for (at = at->left; read_node(by, at)->right; at = at->right)
            ;
        return;
    }
    const node *up = at->parent;
    for (; at == read_node(by, up)->left; up = up->parent)
        at = up;
}

/* The head is the parent of the root, and the root its. */
static void insert_node(const visitor *by, const node *it, const node *under, const node *head) {
    const node *below = it, *up = under;
    bool right = false;
    write_node(by, it);
    write_node(by, head);
    if (under == head)
        return;
    write_node(by, under);
    while (up != head && !up->black) {
        const node *above = up->parent;
        const node *other = above->left == up ? above->right : above->left;
        write_node(by, above);
        if (other && !other->black) {
            write_node(by, other);
            below = above;
            up = above->parent;
            if (up != head && !up->black)
                write_node(by, up);
            continue;
        }
        /* turned around `above`: those below change their places */
        right = above->right == up;
        if (below != it || up != under)
            write_node(by, below);
        if (below != it) {
            write_node(by, below->left);
            write_node(by, below->right);
        }
        write_node(by, right ? up->left : up->right);
        if (above->parent != head)
            write_node(by, above->parent);
        break;
    }
    if (head->parent && head->parent != under)
        write_node(by, head->parent);
}

static void write_around(const visitor *by, const node *it) {
    if (!it)
        return;
    write_node(by, it);
    write_node(by, it->left);
    write_node(by, it->right);
}

/* The node that is taken out of its place is the next one where two are below; as far up as the
 * root nodes may be turned, with those beside them. */
static void erase_node(const visitor *by, const node *it, const node *head) {
    const node *out = it;
    write_node(by, head);
    write_around(by, it);
    if (it->parent != head)
        write_node(by, it->parent);
    if (it->left && it->right)
        for (out = it->right; out->left; out = out->left)
            ;
    if (out != it)
        write_around(by, out);
    if (!out->black) {
        if (out->parent != head)
            write_node(by, out->parent);
        return;
    }
    for (const node *at = out; at != head && at->parent != head; at = at->parent) {
        const node *up = at->parent;
        write_node(by, up);
        write_around(by, up->left == at ? up->right : up->left);
    }
}

/* --- lists ---------------------------------------------------------------------------------- */

typedef struct item {
    struct item *next, *previous;
} item;

static void write_link(const visitor *by, const item *it) {
    use(by, true, it, sizeof *it);
}

static void write_links(const visitor *by, const item *it) {
    write_link(by, it);
    write_link(by, it->next);
    if (it->previous != it->next)
        write_link(by, it->previous);
}

static void hook(const visitor *by, const item *it, const item *before) {
    write_link(by, it);
    write_link(by, before);
    if (before->previous != before)
        write_link(by, before->previous);
}

static void transfer(const visitor *by, const item *before, const item *first, const item *last) {
    if (before == last || first == last)
        return;
    const item *all[] = {before, first, last, before->previous, first->previous, last->previous};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned j = 0;
        while (all[j] != all[i])
            j++;
        if (j == i)
            write_link(by, all[i]);
    }
}

static void reverse(const visitor *by, const item *head) {
    const item *at = head;
    do {
        write_link(by, at);
        at = at->next;
    } while (at && at != head);
}

/* --- objects with virtual functions ---------------------------------------------------------- */

/* __dynamic_cast: the object's own pointer to its table, and that of the whole that it is in. */
static void read_type(const visitor *by, uintptr_t at) {
    enum { TO_WHOLE = -2 };
    use(by, false, (const void *)at, sizeof(uintptr_t));
    if (!at)
        return;
    const intptr_t *table = *(const intptr_t *const *)at;
    if (!hd_rt_foreign_in_module((uintptr_t)table))
        return;
    if (table[TO_WHOLE])
        use(by, false, (const char *)at + table[TO_WHOLE], sizeof(uintptr_t));
}

/* --- exceptions ------------------------------------------------------------------------------ */

/* As the C++ ABI of Itanium has it, and what g++ adds before and after.  One that was thrown again
 * by rethrow_exception refers to the first. */
typedef struct exception {
    void *type_or_first;
    void *functions[3];
    struct exception *next;
    int handlers, value;
    void *handler[4];
    _Alignas(16) struct {
        uint64_t kind;
        uint64_t words[3];
    } unwind;
} exception;

uintptr_t hd_rt_cxx_caught(void) {
    static exception **(*globals)(void);
    if (!globals)
        *(void **)&globals = hd_rt_real_symbol("__cxa_get_globals");
    const exception *it = globals ? *globals() : NULL;
    if (!it || it->handlers != 1 ||
        it->unwind.kind >> 8 != UINT64_C(0x474e5543432b2b00) >> 8) /* "GNUCC++" */
        return 0;
    return it->unwind.kind & 1 ? (uintptr_t)it->type_or_first : (uintptr_t)(it + 1);
}

/* --- by name --------------------------------------------------------------------------------- */

void hd_rt_cxx_places(const char *name, const uintptr_t *arguments, hd_rt_cxx_visit *visit,
                      void *of) {
    const visitor by = {visit, of};
    const void *const *at = (const void *const *)arguments;
    if (hd_rt_starts(name, "type", 4))
        read_type(&by, arguments[0]);
    else if (hd_rt_starts(name, "next", 4))
        pass_next(&by, at[0]);
    else if (hd_rt_starts(name, "previous", 8))
        pass_previous(&by, at[0]);
    else if (hd_rt_starts(name, "insert", 6))
        insert_node(&by, at[1], at[2], at[3]);
    else if (hd_rt_starts(name, "erase", 5))
        erase_node(&by, at[0], at[1]);
    else if (hd_rt_starts(name, "hook", 4))
        hook(&by, at[0], at[1]);
    else if (hd_rt_starts(name, "unhook", 6))
        write_links(&by, at[0]);
    else if (hd_rt_starts(name, "transfer", 8))
        transfer(&by, at[0], at[1], at[2]);
    else if (hd_rt_starts(name, "reverse", 7))
        reverse(&by, at[0]);
    else if (hd_rt_starts(name, "swap", 4)) {
        write_links(&by, at[0]);
        write_links(&by, at[1]);
    }
}

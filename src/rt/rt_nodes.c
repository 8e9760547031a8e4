/*
 * The links of std::list and the balanced trees of std::map and std::set.  In libstdc++ these are
 * functions of the library, not templates, so their accesses to the nodes would go unseen.  Here
 * they are done access by access: each read and write of a link is announced like one of the
 * program's own.  Layout and meaning of the nodes are those of the library's interface
 * (bits/stl_list.h, bits/stl_tree.h); the balancing follows Cormen, Leiserson, Rivest, Stein,
 * Introduction to Algorithms, chapter 13, with missing children in place of the sentinel.
 */
#include "rt.h"
#include "rt_string.h"

/* The caller: the place in the program that accesses are attributed to. */
typedef struct place {
    uintptr_t code;
    bool on; /* accesses are observed */
} place;

static place here(uintptr_t code) {
    return (place){code, hd_rt_string_on()};
}

static void *get_link(place at, void *const *link) {
    if (at.on)
        hd_rt_string_reads(link, sizeof *link, at.code);
    return *(void *const volatile *)link;
}

static void set_link(place at, void **link, void *value) {
    if (at.on)
        hd_rt_string_will_write(link, sizeof *link, at.code);
    *(void *volatile *)link = value;
    if (at.on)
        hd_rt_string_wrote(link, sizeof *link, at.code);
}

#define GET(link) get_link(at, (void *const *)&(link))
#define SET(link, value) set_link(at, (void **)&(link), (value))

/* --- std::list ------------------------------------------------------------------------------- */

typedef struct list_node {
    struct list_node *next, *prev;
} list_node;

#define LIST(name) __asm__("_ZNSt8__detail15_List_node_base" name)

HD_RT_EXPORT void hd_rt_list_hook(list_node *self, list_node *before) LIST("7_M_hookEPS0_");
HD_RT_EXPORT void hd_rt_list_unhook(list_node *self) LIST("9_M_unhookEv");
HD_RT_EXPORT void hd_rt_list_reverse(list_node *self) LIST("10_M_reverseEv");
HD_RT_EXPORT void hd_rt_list_transfer(list_node *self, list_node *first, list_node *last)
    LIST("11_M_transferEPS0_S1_");
HD_RT_EXPORT void hd_rt_list_swap(list_node *a, list_node *b) LIST("4swapERS0_S1_");

void hd_rt_list_hook(list_node *self, list_node *before) {
    place at = here(HD_RT_CODE());
    list_node *previous = GET(before->prev);
    SET(self->next, before);
    SET(self->prev, previous);
    SET(previous->next, self);
    SET(before->prev, self);
}

void hd_rt_list_unhook(list_node *self) {
    place at = here(HD_RT_CODE());
    list_node *next = GET(self->next), *previous = GET(self->prev);
    SET(previous->next, next);
    SET(next->prev, previous);
}

void hd_rt_list_reverse(list_node *self) {
    place at = here(HD_RT_CODE());
    list_node *node = self;
    do {
        list_node *next = GET(node->next), *previous = GET(node->prev);
        SET(node->next, previous);
        SET(node->prev, next);
        node = next;
    } while (node != self);
}

/* [first, last) comes before self. */
void hd_rt_list_transfer(list_node *self, list_node *first, list_node *last) {
    place at = here(HD_RT_CODE());
    if (self == last)
        return;
    list_node *tail = GET(last->prev), *before_first = GET(first->prev),
              *before_self = GET(self->prev);
    SET(before_first->next, last);
    SET(last->prev, before_first);
    SET(before_self->next, first);
    SET(first->prev, before_self);
    SET(tail->next, self);
    SET(self->prev, tail);
}

/* The heads of two lists: each takes the other's nodes. */
static void take_nodes(place at, list_node *head, list_node *next, list_node *previous,
                       const list_node *from) {
    if (next == from) { /* that one was empty */
        SET(head->next, head);
        SET(head->prev, head);
        return;
    }
    SET(head->next, next);
    SET(head->prev, previous);
    SET(next->prev, head);
    SET(previous->next, head);
}

void hd_rt_list_swap(list_node *a, list_node *b) {
    place at = here(HD_RT_CODE());
    list_node *a_next = GET(a->next), *a_previous = GET(a->prev);
    list_node *b_next = GET(b->next), *b_previous = GET(b->prev);
    take_nodes(at, a, b_next, b_previous, b);
    take_nodes(at, b, a_next, a_previous, a);
}

/* --- std::map, std::set ---------------------------------------------------------------------- */

enum { RED, BLACK };

/* The header of a tree is a red node: its parent is the root, its left and right are the first and
 * the last node. */
typedef struct tree_node {
    int colour;
    struct tree_node *parent, *left, *right;
} tree_node;

static int colour_of(place at, const tree_node *node) {
    if (at.on)
        hd_rt_string_reads(&node->colour, sizeof node->colour, at.code);
    return *(const volatile int *)&node->colour;
}

static void paint(place at, tree_node *node, int colour) {
    if (at.on)
        hd_rt_string_will_write(&node->colour, sizeof node->colour, at.code);
    *(volatile int *)&node->colour = colour;
    if (at.on)
        hd_rt_string_wrote(&node->colour, sizeof node->colour, at.code);
}

static bool is_black(place at, const tree_node *node) {
    return !node || colour_of(at, node) == BLACK;
}

static tree_node *child(place at, const tree_node *node, bool right) {
    return right ? GET(node->right) : GET(node->left);
}

static void set_child(place at, tree_node *node, bool right, tree_node *to) {
    if (right)
        SET(node->right, to);
    else
        SET(node->left, to);
}

/* The outermost node of a subtree on one side. */
static tree_node *outermost(place at, tree_node *node, bool right) {
    tree_node *next;
    while ((next = child(at, node, right)))
        node = next;
    return node;
}

/* What pointed to `gone` from above points to `heir`. */
static void replace_below(place at, tree_node *header, tree_node *gone, tree_node *heir) {
    tree_node *parent = GET(gone->parent);
    if (GET(header->parent) == gone)
        SET(header->parent, heir);
    else
        set_child(at, parent, GET(parent->left) != gone, heir);
    if (heir)
        SET(heir->parent, parent);
}

/* The child on the other side comes up; the node goes down to the side `right`. */
static void rotate(place at, tree_node *header, tree_node *node, bool right) {
    tree_node *up = child(at, node, !right), *inner = child(at, up, right);
    set_child(at, node, !right, inner);
    if (inner)
        SET(inner->parent, node);
    replace_below(at, header, node, up);
    set_child(at, up, right, node);
    SET(node->parent, up);
}

/* The next node in order, or the one before it.  Of the last one that is the header. */
static tree_node *neighbour(place at, tree_node *node, bool right) {
    tree_node *below = child(at, node, right);
    if (below)
        return outermost(at, below, !right);
    tree_node *parent = GET(node->parent);
    while (node == child(at, parent, right)) {
        node = parent;
        parent = GET(parent->parent);
    }
    return child(at, node, right) != parent ? parent : node;
}

#define TREE(name) __asm__("_ZSt" name)

HD_RT_EXPORT tree_node *hd_rt_tree_increment(tree_node *node)
    TREE("18_Rb_tree_incrementPSt18_Rb_tree_node_base");
HD_RT_EXPORT tree_node *hd_rt_tree_increment_const(tree_node *node)
    TREE("18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
HD_RT_EXPORT tree_node *hd_rt_tree_decrement(tree_node *node)
    TREE("18_Rb_tree_decrementPSt18_Rb_tree_node_base");
HD_RT_EXPORT tree_node *hd_rt_tree_decrement_const(tree_node *node)
    TREE("18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
HD_RT_EXPORT void hd_rt_tree_insert(bool left, tree_node *node, tree_node *parent,
                                    tree_node *header)
    TREE("29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
HD_RT_EXPORT tree_node *hd_rt_tree_erase(tree_node *node, tree_node *header)
    TREE("28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");

tree_node *hd_rt_tree_increment(tree_node *node) {
    return neighbour(here(HD_RT_CODE()), node, true);
}

tree_node *hd_rt_tree_increment_const(tree_node *node) {
    return neighbour(here(HD_RT_CODE()), node, true);
}

/* The one before the header is the last. */
static tree_node *step_back(place at, tree_node *node) {
    if (colour_of(at, node) == RED) {
        tree_node *parent = GET(node->parent);
        if (parent && GET(parent->parent) == node)
            return GET(node->right);
    }
    return neighbour(at, node, false);
}

tree_node *hd_rt_tree_decrement(tree_node *node) {
    return step_back(here(HD_RT_CODE()), node);
}

tree_node *hd_rt_tree_decrement_const(tree_node *node) {
    return step_back(here(HD_RT_CODE()), node);
}

/* RB-INSERT-FIXUP. */
static void mend_red(place at, tree_node *node, tree_node *header) {
    while (node != GET(header->parent) && !is_black(at, GET(node->parent))) {
        tree_node *parent = GET(node->parent), *grandparent = GET(parent->parent);
        bool right = GET(grandparent->left) != parent;
        tree_node *uncle = child(at, grandparent, !right);
        if (!is_black(at, uncle)) {
            paint(at, parent, BLACK);
            paint(at, uncle, BLACK);
            paint(at, grandparent, RED);
            node = grandparent;
            continue;
        }
        if (node == child(at, parent, !right)) {
            rotate(at, header, parent, right);
            parent = node;
        }
        paint(at, parent, BLACK);
        paint(at, grandparent, RED);
        rotate(at, header, grandparent, !right);
        break;
    }
    paint(at, GET(header->parent), BLACK);
}

void hd_rt_tree_insert(bool left, tree_node *node, tree_node *parent, tree_node *header) {
    place at = here(HD_RT_CODE());
    SET(node->parent, parent);
    SET(node->left, NULL);
    SET(node->right, NULL);
    paint(at, node, RED);
    set_child(at, parent, !left, node); /* of the header of an empty tree that is the first node */
    if (parent == header) {
        SET(header->parent, node);
        SET(header->right, node);
        SET(header->left, node);
    } else if (left && parent == GET(header->left))
        SET(header->left, node);
    else if (!left && parent == GET(header->right))
        SET(header->right, node);
    mend_red(at, node, header);
}

/* RB-DELETE-FIXUP: the paths through `node`, below `parent`, have one black node too few. */
static void mend_black(place at, tree_node *node, tree_node *parent, tree_node *header) {
    while (node != GET(header->parent) && is_black(at, node)) {
        bool right = GET(parent->left) != node;
        tree_node *sibling = child(at, parent, !right);
        if (!is_black(at, sibling)) {
            paint(at, sibling, BLACK);
            paint(at, parent, RED);
            rotate(at, header, parent, right);
            sibling = child(at, parent, !right);
        }
        tree_node *near = child(at, sibling, right), *far = child(at, sibling, !right);
        if (is_black(at, near) && is_black(at, far)) {
            paint(at, sibling, RED);
            node = parent;
            parent = GET(parent->parent);
            continue;
        }
        if (is_black(at, far)) {
            paint(at, near, BLACK);
            paint(at, sibling, RED);
            rotate(at, header, sibling, !right);
            far = sibling;
            sibling = near;
        }
        paint(at, sibling, colour_of(at, parent));
        paint(at, parent, BLACK);
        paint(at, far, BLACK);
        rotate(at, header, parent, right);
        break;
    }
    if (node)
        paint(at, node, BLACK);
}

/* The first or last node of the tree is removed: finds the new one. */
static void mend_ends(place at, tree_node *node, tree_node *header, bool right) {
    if (child(at, header, right) != node)
        return;
    tree_node *below = child(at, node, !right);
    set_child(at, header, right,
              below ? outermost(at, below, right) : (tree_node *)GET(node->parent));
}

/* The node's successor, which has no left child, takes its place and colour. */
static tree_node *put_in_place(place at, tree_node *next, tree_node *node, tree_node *header) {
    tree_node *parent = GET(next->parent), *right = GET(next->right), *left = GET(node->left);
    if (parent == node)
        parent = next;
    else {
        tree_node *node_right = GET(node->right);
        SET(parent->left, right);
        if (right)
            SET(right->parent, parent);
        SET(next->right, node_right);
        SET(node_right->parent, next);
    }
    replace_below(at, header, node, next);
    SET(next->left, left);
    SET(left->parent, next);
    return parent;
}

tree_node *hd_rt_tree_erase(tree_node *node, tree_node *header) {
    place at = here(HD_RT_CODE());
    tree_node *left = GET(node->left), *right = GET(node->right), *moved, *parent;
    int removed = colour_of(at, node);
    if (left && right) {
        tree_node *next = outermost(at, right, false);
        moved = GET(next->right);
        parent = put_in_place(at, next, node, header);
        int colour = colour_of(at, next);
        paint(at, next, removed);
        removed = colour;
    } else {
        moved = left ? left : right;
        parent = GET(node->parent);
        mend_ends(at, node, header, false);
        mend_ends(at, node, header, true);
        replace_below(at, header, node, moved);
    }
    if (removed == BLACK)
        mend_black(at, moved, parent, header);
    return node;
}

/* std::list, std::map and std::set keep their order whatever is done to them. */
//@ output ok
//@ seeds 1
//@ cflags -std=c++17
//@ rare
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <vector>
static int height(const std::_Rb_tree_node_base *n) {
    if (!n)
        return 0;
    const auto *l = n->_M_left, *r = n->_M_right;
    assert(!l || l->_M_parent == n);
    assert(!r || r->_M_parent == n);
    if (n->_M_color == std::_S_red)
        assert((!l || l->_M_color) && (!r || r->_M_color));
    int a = height(l), b = height(r);
    assert(a == b);
    return a + (n->_M_color == std::_S_black);
}
#ifndef ROUNDS
#define ROUNDS 10
#endif
int main() {
    srand(7);
    for (int round = 0; round < ROUNDS; round++) {
        std::set<int> s;
        std::vector<bool> in(64);
        for (int i = 0; i < 200; i++) {
            int v = rand() % 64;
            if (rand() % 2) {
                s.insert(v);
                in[v] = true;
            } else {
                s.erase(v);
                in[v] = false;
            }
            if (!s.empty())
                height(s.end()._M_node->_M_parent);
            std::vector<int> want;
            for (int k = 0; k < 64; k++)
                if (in[k])
                    want.push_back(k);
            assert(std::equal(s.begin(), s.end(), want.begin(), want.end()));
            assert(std::equal(s.rbegin(), s.rend(), want.rbegin(), want.rend()));
        }
        std::list<int> l, m;
        std::vector<int> w, x;
        for (int i = 0; i < 20; i++) {
            int v = rand() % 50;
            l.push_back(v);
            w.push_back(v);
            v = rand() % 50;
            m.push_front(v);
            x.insert(x.begin(), v);
        }
        l.reverse();
        std::reverse(w.begin(), w.end());
        l.swap(m);
        w.swap(x);
        l.sort();
        std::sort(w.begin(), w.end());
        m.sort();
        std::sort(x.begin(), x.end());
        l.merge(m);
        w.insert(w.end(), x.begin(), x.end());
        std::sort(w.begin(), w.end());
        l.unique();
        w.erase(std::unique(w.begin(), w.end()), w.end());
        l.splice(std::next(l.begin()), l, std::prev(l.end()));
        int b = w.back();
        w.pop_back();
        w.insert(w.begin() + 1, b);
        assert(std::equal(l.begin(), l.end(), w.begin(), w.end()));
        assert(std::equal(l.rbegin(), l.rend(), w.rbegin(), w.rend()));
        std::list<int> e;
        e.swap(l);
        assert(l.empty() && e.size() == w.size());
        l.swap(e);
        assert(e.empty());
    }
    puts("ok");
}

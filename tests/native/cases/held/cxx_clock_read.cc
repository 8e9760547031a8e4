#include "held.h"

#include <chrono>

static void *f(void *x) {
    auto a = std::chrono::steady_clock::now();
    assert(std::chrono::steady_clock::now() - a < std::chrono::seconds(1));
    return 0;
}
static void *g(void *x) {
    return 0;
}
int main() {
    both(f, g);
}

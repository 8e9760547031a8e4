// Copies by headers of the C++ library, which use names of the compiler's own.
//@ levels 0 1 2
//@ outcomes 0:5,6 0:5,2
#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

static std::vector<int> from{5, 6, 7}, to{0, 0, 0};

int main() {
    std::thread copier([] { std::copy(from.begin(), from.end(), to.begin()); });
    std::thread writer([] { from[1] = 2; });
    copier.join();
    writer.join();
    std::printf("%d,%d", to[0], to[1]);
}

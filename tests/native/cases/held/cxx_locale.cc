#include <cassert>
#include <locale>
#include <thread>

int main() {
#ifdef SWAP
    std::thread b([] { assert(std::locale().name() == "C"); }),
        a([] { std::locale::global(std::locale("C.UTF-8")); });
#else
    std::thread a([] { std::locale::global(std::locale("C.UTF-8")); }),
        b([] { assert(std::locale().name() == "C"); });
#endif
    a.join();
    b.join();
}

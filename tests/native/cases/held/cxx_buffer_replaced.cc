#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

std::ostringstream s;
int main() {
    auto o = std::cout.rdbuf();
#ifdef SWAP
    std::thread b([] { std::cout << "x"; }), a([] { std::cout.rdbuf(s.rdbuf()); });
#else
    std::thread a([] { std::cout.rdbuf(s.rdbuf()); }), b([] { std::cout << "x"; });
#endif
    a.join();
    b.join();
    std::cout.rdbuf(o);
    assert(s.str() == "");
}

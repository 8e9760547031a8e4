/* Two threads print to one buffer of the program. */
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

std::ostringstream s;
int main() {
    auto o = std::cout.rdbuf(s.rdbuf());
    std::thread a([] { std::cout << "a"; }), b([] { std::cout << "b"; });
    a.join();
    b.join();
    std::cout.rdbuf(o);
    assert(s.str() == "ab");
}

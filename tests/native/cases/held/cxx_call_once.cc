#include <cassert>
#include <mutex>
#include <thread>

int n;
std::once_flag o;
int main() {
    auto f = [&] { std::call_once(o, [] { n++; }); };
    std::thread a(f), b(f);
    a.join();
    b.join();
    assert(n == 1);
}

#include <cassert>
#include <future>

int main() {
    auto one = std::async(std::launch::async, [] { return 1; });
    std::promise<int> p;
    std::thread t([&] { p.set_value(2); });
    int two = p.get_future().get();
    t.join();
    assert(one.get() + two == 3);
}

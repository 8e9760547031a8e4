#include <iostream>
#include <thread>

int main() {
    std::thread a([] { std::cout << "a"; }), b([] { std::cout << "b"; });
    a.join();
    b.join();
}

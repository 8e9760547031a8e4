// What C++ writes comes in every order too.
//@ options --find=outcome
//@ outcomes 0:ab 0:ba
#include <iostream>
#include <thread>

int main() {
    std::thread other([] { std::cout << "a"; });
    std::cout << "b";
    other.join();
    return 0;
}

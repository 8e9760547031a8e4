// What the library does to the nodes of a list is seen: it is empty before or after.
//@ outcomes 0:1 0:0
#include <cstdio>
#include <list>
#include <thread>

std::list<int> numbers;

int main() {
    std::thread thread([] { numbers.push_back(1); });
    bool empty = numbers.begin() == numbers.end();
    thread.join();
    std::printf("%d", empty);
}

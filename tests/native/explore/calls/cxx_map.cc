// A thread inserts while another looks at the first node of the map.
//@ outcomes 0:2 0:1
#include <cstdio>
#include <map>
#include <thread>

std::map<int, int> numbers{{2, 0}};

int main() {
    std::thread thread([] { numbers[1] = 1; });
    int first = numbers.begin()->first;
    thread.join();
    std::printf("%d", first);
}

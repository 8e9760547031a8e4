// The same in C++: an element of a vector, an object that is deleted, an array of objects.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<long> *numbers;
static long *array;
static std::size_t last = 3;
static volatile long seen;

static void use() {
    std::lock_guard<std::mutex> lock(mutex);
#if defined USE_AFTER_FREE
    if (numbers)
        seen = (*numbers)[1];
#elif defined DOUBLE_FREE
    delete[] array;
    array = nullptr;
#elif defined OVERFLOW
    array[last] = 1;
#elif defined ITERATOR
    seen = *array;
#endif
}

static void change() {
    std::lock_guard<std::mutex> lock(mutex);
#if defined USE_AFTER_FREE
    delete numbers;
#ifdef GOOD
    numbers = nullptr;
#endif
#elif defined DOUBLE_FREE
    delete[] array;
#ifdef GOOD
    array = nullptr;
#endif
#elif defined OVERFLOW
#ifndef GOOD
    last = 4;
#endif
#elif defined ITERATOR
    numbers->push_back(5);
#ifdef GOOD
    array = numbers->data();
#endif
#endif
}

int main() {
    numbers = new std::vector<long>{1, 2, 3, 4};
    array = new long[4]();
#if defined ITERATOR
    array = numbers->data();
#endif
    std::thread a(use), b(change);
    a.join();
    b.join();
}

/* The same with the classes of C++. */
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "pair.h"

/* A pointer that counts is itself a variable. */
static void assigned_pointer() {
    auto shared = std::make_shared<int>(1);
    std::mutex lock;
    heddle_thread([&] {
        std::unique_lock<std::mutex> hold(lock, std::defer_lock);
        if (fixed)
            hold.lock();
        shared = std::make_shared<int>(2);
    });
    heddle_thread([&] {
        std::unique_lock<std::mutex> hold(lock, std::defer_lock);
        if (fixed)
            hold.lock();
        auto mine = shared;
        HEDDLE_CHECK(*mine == 1 || *mine == 2);
    });
    heddle_join();
}
PAIR(assigned_pointer, "")

/* A guard without a name is gone at the semicolon. */
static void nameless_guard() {
    int count = 0;
    std::mutex lock;
    for (int i = 0; i < 2; i++)
        heddle_thread([&] {
            if (fixed) {
                std::unique_lock<std::mutex> hold(lock);
                count++;
            } else {
                std::unique_lock<std::mutex>{lock};
                count++;
            }
        });
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}
PAIR(nameless_guard, "with=assertion")

/* A wait without a predicate. */
static void no_predicate() {
    std::mutex lock;
    std::condition_variable changed;
    bool ready = false;
    heddle_thread([&] {
        std::unique_lock<std::mutex> hold(lock);
        if (fixed)
            changed.wait(hold, [&] { return ready; });
        else
            changed.wait(hold);
    });
    heddle_thread([&] {
        std::lock_guard<std::mutex> hold(lock);
        ready = true;
        changed.notify_one();
    });
    heddle_join();
}
PAIR(no_predicate, "with=deadlock")

/* The stop flag is atomic, and so its lock is left out. */
static void atomic_stop() {
    std::mutex lock;
    std::condition_variable changed;
    std::atomic<bool> stop{false};
    heddle_thread([&] {
        std::unique_lock<std::mutex> hold(lock);
        changed.wait(hold, [&] { return stop.load(); });
    });
    heddle_thread([&] {
        if (fixed) {
            std::lock_guard<std::mutex> hold(lock);
            stop = true;
        } else {
            stop = true;
        }
        changed.notify_one();
    });
    heddle_join();
}
PAIR(atomic_stop, "with=deadlock")

/* The vector grows in two threads. */
static void shared_vector() {
    std::vector<int> all;
    std::mutex lock;
    for (int i = 0; i < 2; i++)
        heddle_thread([&, i] {
            std::unique_lock<std::mutex> hold(lock, std::defer_lock);
            if (fixed)
                hold.lock();
            all.push_back(i);
        });
    heddle_join();
    HEDDLE_EQUAL(all.size(), 2);
}
PAIR(shared_vector, "")

/* A thread that is neither joined nor detached. */
static void forgotten_thread() {
    std::atomic<int> count{0};
    {
        std::thread worker([&] { count++; });
        if (fixed)
            worker.join();
    }
    HEDDLE_EQUAL(count.load(), 1);
}
PAIR(forgotten_thread, "")

/* An exception passes the unlock. */
static void lock_and_throw() {
    std::mutex lock;
    int count = 0;
    for (int i = 0; i < 2; i++)
        heddle_thread([&] {
            try {
                if (fixed) {
                    std::lock_guard<std::mutex> hold(lock);
                    if (++count == 1)
                        throw std::runtime_error("first");
                } else {
                    lock.lock();
                    if (++count == 1)
                        throw std::runtime_error("first");
                    lock.unlock();
                }
            } catch (const std::runtime_error &) {
            }
        });
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}
PAIR(lock_and_throw, "with=deadlock")

/* Two locks, in different orders. */
static void two_mutexes() {
    std::mutex a, b;
    int count = 0;
    heddle_thread([&] {
        std::lock_guard<std::mutex> first(a);
        std::lock_guard<std::mutex> second(b);
        count++;
    });
    heddle_thread([&] {
        std::lock_guard<std::mutex> first(fixed ? a : b);
        std::lock_guard<std::mutex> second(fixed ? b : a);
        count++;
    });
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}
PAIR(two_mutexes, "with=deadlock")

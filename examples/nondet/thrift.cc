/*
 * In the manner of the concurrency tests of Apache Thrift, whose traces Sinha et al. analyse: a
 * monitor, a thread manager with a queue of tasks and workers that are added and removed, and a
 * timer manager whose dispatcher runs tasks when they are due.  Time is a counter that the test
 * moves on.
 *
 *   thrift [WORKERS [TASKS [TIMERS]]]
 */
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/* A lock with a condition. */
class Monitor {
public:
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void notify() { condition_.notify_one(); }
    void notifyAll() { condition_.notify_all(); }

    /* With the lock held. */
    void wait() {
        std::unique_lock<std::mutex> held(mutex_, std::adopt_lock);
        condition_.wait(held);
        held.release();
    }

private:
    std::mutex mutex_;
    std::condition_variable condition_;
};

class Synchronized {
public:
    explicit Synchronized(Monitor &monitor) : monitor_(monitor) { monitor_.lock(); }
    ~Synchronized() { monitor_.unlock(); }
    Synchronized(const Synchronized &) = delete;
    Synchronized &operator=(const Synchronized &) = delete;

private:
    Monitor &monitor_;
};

class Runnable {
public:
    virtual ~Runnable() = default;
    virtual void run() = 0;
};

/* ---- ThreadManager: tasks are added to a queue, workers take them ---- */

class ThreadManager {
public:
    enum State { UNINITIALIZED, STARTED, JOINING, STOPPED };

    void start() {
        Synchronized s(monitor_);
        state_ = STARTED;
        monitor_.notifyAll();
    }

    void addWorker(size_t count) {
        for (size_t i = 0; i < count; i++) {
            {
                Synchronized s(workerMonitor_);
                workerMaxCount_++;
            }
            threads_.emplace_back([this] { work(); });
        }
        Synchronized s(workerMonitor_);
        while (workerCount_ != workerMaxCount_)
            workerMonitor_.wait();
    }

    void add(std::shared_ptr<Runnable> task) {
        Synchronized s(monitor_);
        tasks_.push_back(task);
        pending_++;
        if (idleCount_ > 0)
            monitor_.notify();
    }

    /* Ends the workers when the queue is empty. */
    void join() {
        {
            Synchronized s(monitor_);
            state_ = JOINING;
            monitor_.notifyAll();
        }
        {
            Synchronized s(workerMonitor_);
            while (workerCount_ > 0)
                workerMonitor_.wait();
        }
        for (std::thread &thread : threads_)
            thread.join();
        Synchronized s(monitor_);
        state_ = STOPPED;
    }

    int pending() {
        Synchronized s(monitor_);
        return pending_;
    }

private:
    void work() {
        {
            Synchronized s(workerMonitor_);
            if (++workerCount_ == workerMaxCount_)
                workerMonitor_.notify();
        }
        for (;;) {
            std::shared_ptr<Runnable> task;
            {
                Synchronized s(monitor_);
                while (tasks_.empty() && state_ != JOINING) {
                    idleCount_++;
                    monitor_.wait();
                    idleCount_--;
                }
                if (tasks_.empty())
                    break;
                task = tasks_.front();
                tasks_.pop_front();
                pending_--;
            }
            task->run();
        }
        Synchronized s(workerMonitor_);
        workerCount_--;
        if (workerCount_ == 0)
            workerMonitor_.notify();
    }

    Monitor monitor_, workerMonitor_;
    State state_ = UNINITIALIZED;
    std::deque<std::shared_ptr<Runnable>> tasks_;
    std::vector<std::thread> threads_;
    size_t workerCount_ = 0, workerMaxCount_ = 0, idleCount_ = 0;
    int pending_ = 0;
};

/* ---- TimerManager: a dispatcher runs tasks when they are due ---- */

class TimerManager {
public:
    void start() {
        dispatcher_ = std::thread([this] { dispatch(); });
        Synchronized s(monitor_);
        while (!running_)
            monitor_.wait();
    }

    void add(std::shared_ptr<Runnable> task, int delay) {
        Synchronized s(monitor_);
        tasks_.emplace(now_ + delay, task);
        taskCount_++;
        monitor_.notify();
    }

    void advance(int by) {
        Synchronized s(monitor_);
        now_ += by;
        monitor_.notify();
    }

    /* Runs what is left, whenever it is due, and ends. */
    void stop() {
        {
            Synchronized s(monitor_);
            stopping_ = true;
            monitor_.notifyAll();
        }
        dispatcher_.join();
    }

    int left() const { return taskCount_; }

private:
    void dispatch() {
        {
            Synchronized s(monitor_);
            running_ = true;
            monitor_.notifyAll();
        }
        for (;;) {
            std::vector<std::shared_ptr<Runnable>> due;
            {
                Synchronized s(monitor_);
                while (!stopping_ && (tasks_.empty() || tasks_.begin()->first > now_))
                    monitor_.wait();
                while (!tasks_.empty() && (stopping_ || tasks_.begin()->first <= now_)) {
                    due.push_back(tasks_.begin()->second);
                    tasks_.erase(tasks_.begin());
                    taskCount_--;
                }
                if (due.empty())
                    break;
            }
            for (std::shared_ptr<Runnable> &task : due)
                task->run();
        }
    }

    Monitor monitor_;
    std::multimap<int, std::shared_ptr<Runnable>> tasks_;
    std::thread dispatcher_;
    int now_ = 0, taskCount_ = 0;
    bool running_ = false, stopping_ = false;
};

/* ---- The tests ---- */

/* Counts down under a monitor; the test waits for zero. */
class Latch {
public:
    explicit Latch(int count) : count_(count) {}

    void countDown() {
        Synchronized s(monitor_);
        if (--count_ == 0)
            monitor_.notifyAll();
    }

    void await() {
        Synchronized s(monitor_);
        while (count_ > 0)
            monitor_.wait();
    }

private:
    Monitor monitor_;
    int count_;
};

class Task : public Runnable {
public:
    Task(Latch &latch, int number) : latch_(latch), number_(number) {}

    void run() override {
        {
            Synchronized s(own_);
            started_ = true;
        }
        result_ = number_ * number_;
        {
            Synchronized s(own_);
            done_ = true;
        }
        latch_.countDown();
    }

    int result() {
        Synchronized s(own_);
        return started_ && done_ ? result_ : -1;
    }

private:
    Latch &latch_;
    Monitor own_;
    int number_, result_ = 0;
    bool started_ = false, done_ = false;
};

/* ThreadManagerTests::loadTest */
bool load(size_t workers, int count) {
    ThreadManager manager;
    Latch latch(count);
    std::vector<std::shared_ptr<Task>> tasks;
    manager.start();
    manager.addWorker(workers);
    for (int i = 0; i < count; i++) {
        tasks.push_back(std::make_shared<Task>(latch, i));
        manager.add(tasks.back());
    }
    latch.await();
    manager.join();
    for (int i = 0; i < count; i++)
        if (tasks[size_t(i)]->result() != i * i)
            return false;
    return manager.pending() == 0;
}

/* TimerManagerTests::test00: a task that is due, and one that the timer ends before. */
bool timers(int count) {
    TimerManager manager;
    Latch latch(count);
    std::vector<std::shared_ptr<Task>> tasks;
    manager.start();
    for (int i = 0; i < count; i++) {
        tasks.push_back(std::make_shared<Task>(latch, i));
        manager.add(tasks.back(), 1 + i % 3);
    }
    for (int i = 0; i < 3; i++)
        manager.advance(1);
    latch.await();
    manager.stop();
    return manager.left() == 0;
}

} // namespace

int main(int count, char **words) {
    int workers = count > 1 ? std::atoi(words[1]) : 3, tasks = count > 2 ? std::atoi(words[2]) : 10,
        timed = count > 3 ? std::atoi(words[3]) : 5;
    if (workers < 1 || tasks < 1 || timed < 0)
        return 2;
    bool good = load(size_t(workers), tasks);
    if (timed > 0)
        good = timers(timed) && good;
    return good ? 0 : 1;
}

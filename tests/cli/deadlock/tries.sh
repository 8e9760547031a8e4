# A try, or an acquire with a time limit, holds its lock like any other, and waits for none.
# In make test-long only.
write() { printf '%s\n' "$@" >trace.std; }

echo '-- tried against taken'
write 'A|acq(l)|1' 'A|tryacq(m)|2' 'A|rel(m)|3' 'A|rel(l)|4' \
      'B|acq(m)|5' 'B|acq(l)|6' 'B|rel(l)|7' 'B|rel(m)|8'
heddle deadlock --summary trace.std
echo "status $?"

echo '-- both held by a try: two wait'
write 'A|tryacq(l)|1' 'A|acq(m)|2' 'A|rel(m)|3' 'A|rel(l)|4' \
      'B|tryracq(m)|5' 'B|acq(l)|6' 'B|rel(l)|7' 'B|rrel(m)|8'
heddle deadlock -o witness.std trace.std
echo "status $?"
heddle validate trace.std witness.std
echo "status $?"

echo '-- a witness does not wait at a try'
write 'A|acq(l)|1' 'A|tryacq(m)|2' 'A|rel(m)|3' 'A|rel(l)|4' \
      'B|acq(m)|5' 'B|acq(l)|6' 'B|rel(l)|7' 'B|rel(m)|8'
sed 's/tryacq/acq/' trace.std >waits.std
heddle deadlock -o witness.std waits.std | head -1
sed -i 's/A|acq(m)/A|tryacq(m)/' witness.std
heddle validate trace.std witness.std
echo "status $?"

echo '-- programs'
cat >tries.cc <<'END'
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <chrono>
std::mutex a, b;
std::timed_mutex c, d;
std::shared_timed_mutex e, f;
int x;
int main() {
    std::thread t([] {
        { std::scoped_lock both(a, b); x++; }
        c.lock();
        if (d.try_lock_for(std::chrono::milliseconds(5))) d.unlock();
        c.unlock();
        e.lock();
        if (f.try_lock_shared()) f.unlock_shared();
        e.unlock();
    });
    std::thread u([] {
        { std::scoped_lock both(b, a); x++; }
        d.lock();
        c.lock();
        c.unlock();
        d.unlock();
        f.lock();
        e.lock();
        e.unlock();
        f.unlock();
    });
    t.join();
    u.join();
}
END
heddle c++ -O1 -w -o tries tries.cc
heddle record -q -o tries.htr ./tries
heddle deadlock --summary tries.htr | head -1
heddle info tries.htr | sed -nE 's/^  (tryacq|tryracq) +([0-9]+).*/\1 \2/p'

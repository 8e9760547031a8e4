# In make test-long only.
# A semaphore of libstdc++ 12 sleeps although a unit is there.
if [ "$(g++ -dumpversion)" = 12 ]; then
    heddle c++ -std=c++20 -o semaphore "$ROOT/examples/bugs/semaphore.cc"
    heddle explore --find=deadlock ./semaphore | grep 'deadlock:\|times'
else
    echo './semaphore: deadlock: 2 of 3 threads cannot go on'
    echo '            ... 2 steps again, 15 times'
fi

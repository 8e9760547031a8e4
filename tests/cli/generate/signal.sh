# A signal ends it with status 3, and leaves no file.
for signal in TERM INT; do
    heddle generate -o big.htr bank 16 2000000 &
    sleep 0.2
    kill -$signal $!
    wait $!
    echo "status $?"
done
ls

# A pipe with a name is read once, from its first byte on, and --time holds there too.
printf 'T10000001|w(x)|a:1\n1|w(x)|a:2\n' >two.std
printf 'worker1|w(x)|a:1\nworker1|w(x)|a:2\n' >one.std
heddle convert two.std two.htr
mkfifo pipe
for file in two.std two.htr one.std; do
    cat $file >pipe &
    timeout 30 heddle race pipe | head -1
    wait
done
cat one.std >pipe &
timeout 30 heddle states pipe | head -1
wait
timeout 30 heddle states --time=0.5 pipe | head -2
timeout 30 heddle explore --time=0.5 pipe

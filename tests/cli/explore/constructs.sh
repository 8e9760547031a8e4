# Rwlocks, semaphores, barriers, channels, functions, choices: what is found is replayed.
models=$ROOT/examples/models
heddle explore -q --stop=never $models/work-queue.hdm | head -n 1
for try in work-queue:STOPS=1 cache:AGAIN=0 phases:MEET=0 guess:CHECK=0; do
    model=$models/${try%%:*}.hdm
    heddle explore -D "${try#*:}" -o w.std "$model" | sed -n '1p; /^ *step/,$p'
    heddle replay "$model" w.std | tail -n 2
    heddle explore -j 2 -a sdpor -D "${try#*:}" "$model" >two && echo 'status 0'
    sed -n 1p two
done

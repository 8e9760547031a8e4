# However long it runs, memory is bounded: a million events, and a window that is too small.
# In make test-long only.
heddle cc -I$ROOT/include -O1 -o server $ROOT/examples/detect/server.c
# AddressSanitizer keeps what is freed, and takes its share.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1"
grep -q __asan_init "$HEDDLE" && export MOST=$((160 << 10))
cat >watch.py <<'END'
import os, resource, subprocess, sys
out = subprocess.run(["heddle", *sys.argv[1:]], text=True, stdout=subprocess.PIPE).stdout
events = int(out.split("\n  program")[1].split(",", 1)[1].split()[0].replace(",", ""))
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("a million events" if events > 10**6 else f"{events} events only")
print("bounded" if most < int(os.environ.get("MOST", 64 << 10)) else f"{most} KiB")
print("forgotten too early" if "forgotten too early" in out else "nothing forgotten too early")
END
python3 watch.py detect --online -e 'count(commit) > 3' -- ./server 90000
python3 watch.py detect --online --window=64 -e 'count(commit) > 3' -- ./server 90000

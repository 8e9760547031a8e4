# A signal while a trace is read or searched: what was found so far is told, with status 1 or 3.
# In make test-long only.
"$HEDDLE" generate locks 4 150000 --variables=100 --locks=10 -o trace.htr
mkfifo pipe
for command in race deadlock nondet states check info validate 'convert pipe other.std'; do
    case $command in
    convert*) words=$command ;;
    *) words="$command pipe" ;;
    esac
    "$HEDDLE" $words >answer 2>said &
    exec 3>pipe # when it is read
    head -c 100000 trace.htr >&3
    sleep 0.1
    kill -TERM $!
    wait $!
    status=$?
    exec 3>&-
    case $status in
    3) ;;
    *) echo "$command: status $status: $(cat said)" ;;
    esac
done
ls other.std* 2>/dev/null
# All that was counted is listed.
python3 - "$HEDDLE" <<'EOF'
import json, subprocess, sys
for words, count in [("deadlock", "deadlocks"), ("nondet", "nondeterministic_reads"), ("race --method=hb", "races")]:
    for wait in ["0.1", "0.3", "0.6"]:
        done = subprocess.run(["timeout", "--preserve-status", "-s", "TERM", wait, sys.argv[1], *words.split(),
                               "--json", "trace.htr"], capture_output=True, text=True)
        if done.returncode == 143 and not done.stdout:
            continue  # it had not begun
        answer = json.loads(done.stdout)
        listed = len(answer["findings"])
        if listed != answer["result"][count]:
            print(words, wait, listed, answer["result"][count])
EOF
echo done

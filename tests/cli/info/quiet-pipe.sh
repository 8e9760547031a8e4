# A pipe in which nothing comes ends a command when its time is up; whole events that came count.
quiet() {
    begun=$(date +%s%N)
    { printf 't1|w(x:1)\nt2|r(x:1)\nt2|w(x'; sleep 20 & echo $! >sleeper; wait; } 2>/dev/null |
        { heddle "$@" --time=0.5 -; echo "status $?"; kill "$(cat sleeper)"; }
    [ $(($(date +%s%N) - begun)) -lt 15000000000 ] || echo 'late'
}
quiet info | grep -E 'events|status|late'
quiet validate
quiet race --method=hb | grep -E 'race|status|late'
quiet nondet | grep -E 'verdict|status|late'
quiet explore

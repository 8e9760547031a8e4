# Complete searches: status 0, and the number of Mazurkiewicz traces.
for n in 3 4 5; do
    heddle explore "$ROOT/examples/models/ring.hdm" -D N=$n | grep -e 'no schedule' -e complete -e executions
done
heddle explore "$ROOT/examples/models/peterson.hdm" >/dev/null
echo "status $?"

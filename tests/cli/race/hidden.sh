# A race that the order of a lock hides from happens-before: prediction alone proves it.
for method in hb shb lockset lockset-plain predictive; do
    heddle race --method=$method $ROOT/examples/race/hidden.std
    echo "status $?"
done

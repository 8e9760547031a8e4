# A line without an end, from a pipe without one.
tr '\0' 'a' </dev/zero | heddle validate -
echo "status ${PIPESTATUS[1]}"
heddle validate /dev/zero
echo "status $?"

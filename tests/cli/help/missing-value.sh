heddle info --top
echo "status $?"
heddle info trace.std -n

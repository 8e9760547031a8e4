for number in 0 1001 -1 +1 1.5 eight "" 99999999999999999999; do
    heddle info --top="$number" trace.std
    echo "status $?"
done

for command in info convert generate validate; do
    heddle $command
    echo "status $?"
done

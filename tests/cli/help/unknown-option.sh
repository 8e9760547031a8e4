for command in info convert generate validate; do
    heddle $command --nonsense
    echo "status $?"
done

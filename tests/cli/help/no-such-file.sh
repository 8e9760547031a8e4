for command in info validate; do
    heddle $command none.std
    echo "status $?"
done
heddle convert none.std out.std
echo "status $?"
heddle generate grid -o none/out.std
echo "status $?"
ls

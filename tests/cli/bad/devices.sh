# Devices that have no end, where a file is expected.
echo 'a|w(x)|' > a.std
for option in --suppressions --baseline; do
    heddle race $option=/dev/zero a.std
    echo "status $?"
done
heddle report /dev/zero
echo "status $?"
heddle info /dev/zero
echo "status $?"
ln -s /dev/zero zero.c
heddle check zero.c
echo "status $?"

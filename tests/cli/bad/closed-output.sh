# Standard output that is closed.
printf 'a|w(x)|\n' >a.std
heddle info a.std >&-
echo "status $?"
heddle convert a.std - >&-
echo "status $?"
heddle info --json a.std >&-
echo "status $?"

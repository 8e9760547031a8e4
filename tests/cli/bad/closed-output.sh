# Standard output that is closed.
printf 'a|w(x)|\n' >a.std
heddle info a.std >&-
echo "status $?"
heddle convert a.std - >&-
echo "status $?"
heddle info --json a.std >&-
echo "status $?"
# Nor is what is printed written to a file that is opened later and would get that number.
printf 'a|w(x)|a.c:1\nb|w(x)|a.c:2\n' >b.std
heddle race b.std >&-
echo "status $?"
heddle race --html=page.html b.std >&-
echo "status $?"
grep -c 'race on x' page.html
heddle race b.std >/dev/null 2>&-
echo "status $?"

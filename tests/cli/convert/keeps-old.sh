# If it fails, what was there before is still there.
printf 'a|w(x)|1\na|rel(l)|\n' >a.std
echo old >b.std
heddle convert a.std b.std
echo "status $?"
cat b.std
ls

# Recovery is for files that were cut off, not for traces that are no run.
printf 't|w(x)|\nt|rel(l)|\n' >a.std
heddle convert --recover a.std b.std
echo "status $?"
ls

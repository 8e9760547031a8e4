# A pipe with a name as the output: written when somebody reads it, given up when the time is up.
heddle generate grid 2 2 -o in.std
mkfifo out
heddle convert --time=0.2 in.std out
echo "status $?"
heddle convert in.std out &
cmp in.std out && echo the same
wait

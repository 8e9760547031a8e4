heddle generate grid --json
echo "status $?"
heddle convert --json a -

heddle generate nonsense
echo "status $?"
heddle generate like
echo "status $?"
heddle generate like nonsense
echo "status $?"
heddle generate grid 1 2 3
echo "status $?"
heddle generate grid 0
echo "status $?"
heddle generate grid --locks=2

heddle generate poset 3 20
echo '# a lag, less communication, another seed'
heddle generate poset 3 20 --lag 4 --probability 500 -s 7

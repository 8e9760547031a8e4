heddle generate chains 3 4 --every 2
echo '# a ring'
heddle generate chains 3 4 --every 2 --ring 1

heddle generate forkjoin 2 2
echo '# no events of the workers'
heddle generate forkjoin 2 0

heddle generate bank 2 2 --accounts 3
echo '# another seed'
heddle generate bank 2 2 --accounts 3 --seed 2

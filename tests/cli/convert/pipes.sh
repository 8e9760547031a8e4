# Standard input and output, both formats; the first bytes tell which it is.
printf 'a|w(x)|1\nb|r(x)|2\n' >a.std
heddle convert --to binary - - <a.std | heddle convert - - | cmp - a.std
heddle convert -t binary a.std - | heddle convert -t binary - - | heddle info - | head -n 1
heddle convert - - <a.std

# The name tells the format, --to does it better.
printf 'a|w(x)|1\n' >a.std
heddle convert a.std a.htr
heddle convert --to text a.std b.htr
heddle convert --to binary a.std b.std
heddle info a.htr | head -n 1
heddle info b.htr | head -n 1
heddle info b.std | head -n 1

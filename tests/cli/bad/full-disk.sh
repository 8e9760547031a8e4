# A full disk is an error, of every command and in every way out.
heddle generate bank 2 2 -o a.std
try() { "$@"; echo "status $?" >&2; }
try heddle convert a.std /dev/full
try heddle convert -t binary a.std /dev/full
try heddle convert a.std - >/dev/full
try heddle convert --json a.std b.htr >/dev/full
try heddle generate grid 2 2 -o /dev/full
try heddle generate grid 2 2 >/dev/full
try heddle info a.std >/dev/full
try heddle info --json a.std >/dev/full
try heddle validate a.std >/dev/full
try heddle validate a.std a.std >/dev/full
try heddle validate --json a.std a.std >/dev/full
try heddle states --list a.std >/dev/full
ls

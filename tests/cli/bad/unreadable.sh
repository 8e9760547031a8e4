# A file without permission to read; root may read anything.
printf 'a|w(x)|\n' >a.std
chmod 000 a.std
if [ "$(id -u)" = 0 ]; then
    echo 'heddle: a.std: Permission denied' >&2
    echo 'status 2'
else
    heddle info a.std
    echo "status $?"
fi

# A folder without permission to write; root may write anywhere.
printf 'a|w(x)|\n' >a.std
mkdir folder
echo old >folder/b.std
chmod 555 folder
if [ "$(id -u)" = 0 ]; then
    echo 'heddle: folder/b.std: cannot write: Permission denied' >&2
    echo 'status 2'
else
    heddle convert a.std folder/b.std
    echo "status $?"
fi
cat folder/b.std
ls folder
chmod 755 folder

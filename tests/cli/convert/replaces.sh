# An output that is there is replaced whole, with its mode, behind a link too.
printf 'a|w(x)|1\n' >a.std
echo old >b.std
chmod 640 b.std
ln -s b.std link
heddle convert a.std link
cat b.std
stat -c '%A %N' b.std link
heddle convert a.std b.std && cat b.std
ls

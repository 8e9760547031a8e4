# A name that is too long to read is cut in a message.
name=$(head -c 3000 /dev/zero | tr '\0' 'n')
printf '%s|rel(%s)|\n' "$name" "$name" >a.std
heddle validate a.std 2>err
echo "status $?"
[ "$(wc -c <err)" -lt 1100 ] && wc -l <err
heddle "$name" 2>err
echo "status $?"
[ "$(wc -c <err)" -lt 200 ] && wc -l <err

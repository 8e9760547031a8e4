# Names with markup end no element; a file that is not a source is not taken.
printf 'a</script><b>|w(<!--x)|/etc/passwd:1\nb|w(<!--x)|two.c:1\n' >hostile.std
printf 'int x; // </script>\n' >two.c
heddle race --html=page.html hostile.std >out
echo $?
grep -o '</script' page.html | wc -l
sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' page.html | jq -c '.trace.names.thread, .trace.names.variable, .sources'

# A result that could not be written is an error.
for words in "--help" "--version" "info --help" "generate grid 2 2"; do
    heddle $words >/dev/full
    echo "status $?"
done

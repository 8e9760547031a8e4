# Notes that are longer together than a section of the binary format may be.
# In make test-long only.
awk 'BEGIN {
    print "T1|w(x)|a.c:1"
    print "# heddle: ended exit 0"
    text = "n"
    while (length(text) < 1000000) text = text text
    for (i = 0; i < 40; i++) print "# heddle: note long " text
    print "# heddle: doubt threads:openmp the last"
}' >notes.std
heddle convert -q notes.std notes.htr
heddle convert -q notes.htr again.std
grep -v '^# heddle: text' again.std | cmp - notes.std && echo same

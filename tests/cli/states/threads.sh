# Several threads give the same as one: counts, and lists to the line.
heddle generate grid 4 6 -o grid.std
heddle generate bank 3 2 -o bank.std
heddle generate forkjoin 5 2 -o fork.std
for options in 'grid.std' '--algorithm=lex grid.std' '--algorithm=quicklex fork.std' \
    '--algorithm=tree fork.std' 'fork.std --order T3,T1' '--model=loset bank.std' \
    '--model=loset --class=viable bank.std' '--model=loset --class=feasible bank.std' \
    '--model=loset --class=strongly-feasible bank.std' '--model=loset --algorithm=lex2 bank.std'; do
    heddle states $options >one.txt
    heddle states --threads=3 $options >three.txt 2>note.txt
    cmp one.txt three.txt && cat one.txt note.txt
    heddle states --list $options >one.txt
    heddle states --list --threads=3 $options >three.txt 2>note.txt
    cmp one.txt three.txt && wc -l <one.txt && cat note.txt
done

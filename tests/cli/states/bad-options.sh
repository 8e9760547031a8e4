# Bad usage is one line and status 2.
echo 'a|w(x)|' >a.std
for words in '--model=tree' '--class=nice' '--algorithm=magic' '--class=feasible' \
    '--algorithm=lex2' '--model=loset --algorithm=tree' '--threads=0' '--order=a,b' '--order=a,a' \
    '--order=' '--memory=0'; do
    heddle states $words a.std
    echo $?
done
heddle states missing.std
echo $?
printf 'a|rel(l)|\n' >b.std
heddle states b.std
echo $?

# A run is known by its schedule, whatever it claims.
for claim in stuck violation race end; do
    printf '# heddle witness 1\n# claim: %s\n# program: p\n# threads: 2\n# steps: 2\n# schedule: a:0 b:0\na|w(x=1)|p.c:1\nb|r(x=1)|p.c:2\n' $claim >run.std
    heddle view --html=run.html run.std
    sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' run.html
done | jq -c '.findings[] | [.rule, .claim.kind, (.run.events.thread | length)]'

printf 'm|fork(a)|\na|w(x)|\nm|r(x)|\n' >t.std
printf '# heddle witness 1\n# claim: race 2 3\nm|fork(a)|\n' >good.std
printf '# heddle witness 1\n# claim: race 2 3\n' >bad.std
printf 'm|fork(a)|\nm|r(x)|\na|w(x)|\n' >fine.std
printf 'a|w(x)|\n' >wrong.std
for witness in good bad fine wrong; do
    heddle validate --json t.std $witness.std >a.json
    echo "\"status $?\"" | cat - a.json
done | jq -r 'if type == "string" then . else [.command, .input.file, .complete, .result, .findings] | tojson end'

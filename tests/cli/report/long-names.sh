# A name of a megabyte is cut in text, and says how long it is; JSON has all of it.
python3 - >a.std <<'END'
n = "n" * (1 << 20)
print(f"T0|fork(T1)|a.c:1\nT0|w({n})|a.c:2\nT1|w({n})|a.c:3\nT0|w(y)|{n}\nT1|w(y)|{n}")
END
heddle race --json a.std >race.json
heddle report race.json >text
wc -c <text | awk '{ print ($1 < 20000) }'
grep -o 'n\.\.\. ([0-9,]* bytes)' text | sort | uniq -c | sed 's/^ *//'
heddle report --json race.json | wc -c | awk '{ print ($1 > 2000000) }'

# A very long schedule, on many lines and on one.
# In make test-long only.
printf 'shared x;\nthread t { while (true) x = x + 1; }\n' >m.hdm
{
    printf '# heddle witness 1\n# claim: stuck\n'
    yes '# schedule: t:0 t:0 t:0 t:0 t:0 t:0 t:0 t:0 t:0 t:0' | head -20000
} >w.std
heddle replay -q m.hdm w.std
echo "status $?"
{
    printf '# heddle witness 1\n# claim: stuck\n# schedule:'
    yes ' t:0' | head -300000 | tr -d '\n'
} >w.std
heddle replay -q m.hdm w.std
echo "status $?"
